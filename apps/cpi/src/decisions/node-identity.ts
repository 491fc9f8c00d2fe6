import { uuidOrders } from '@vdo/base/uuid';
import { VdoError } from '@vdo/base/vdo-error';
import type { Node } from '@vdo/kube/types/core';
import type { NodeQuery } from '@vdo/vsphere/inventory/node-inventory';
import { parseProviderId } from './provider-id.ts';
import { isUninitialized } from './taints.ts';

/** Whether the CPI manages a node. */
export type NodeIdentity =
  /** The CPI manages it. */
  | { readonly kind: 'managed'; readonly query: NodeQuery }
  /** Not initialized by a cloud provider and not waiting for one: kubelet runs without `--cloud-provider=external`. */
  | { readonly kind: 'unmanaged' }
  /** Belongs to another provider. This is an error only if the node waits for a cloud provider. */
  | { readonly kind: 'foreign'; readonly error: VdoError | undefined }
  /** Runs on another VM than its providerID says. */
  | { readonly kind: 'replaced'; readonly error: VdoError };

const foreignError = (name: string, providerId: string): VdoError =>
  new VdoError({
    code: 'NodeForeignProviderId',
    message: `node ${name} has providerID ${JSON.stringify(providerId)}, expected vsphere://<VM UUID>. Another cloud provider set it, and it cannot be changed`,
    remedy: `Disable the other provider (k3s: --disable-cloud-controller; rke2: cloud-provider-name: external) and start kubelet with --cloud-provider=external and no --provider-id, then: kubectl delete node ${name} and restart kubelet.`,
    details: { node: name, providerId },
  });

const replacedError = (name: string, options: { providerUuid: string; systemUuid: string }): VdoError =>
  new VdoError({
    code: 'NodeVmReplaced',
    message: `node ${name} has providerID vsphere://${options.providerUuid}, but its kubelet runs on a VM with UUID ${options.systemUuid}: the VM was re-created under the same node name`,
    remedy: `kubectl delete node ${name}, then restart kubelet on that machine so that it registers again. A providerID cannot be changed.`,
    details: { node: name, ...options },
  });

const addressesOf = (node: Node): readonly string[] =>
  (node.status?.addresses ?? []).filter(({ type }) => type === 'InternalIP').map(({ address }) => address);

const namesOf = (node: Node): readonly string[] => {
  const hostnames = (node.status?.addresses ?? []).filter(({ type }) => type === 'Hostname');
  return [...new Set([node.metadata.name ?? '', ...hostnames.map(({ address }) => address)])].filter(Boolean);
};

/**
 * Decides how to find a node's VM. If the node has a providerID, only its UUID counts: to find another VM by name would hide
 * that the VM was replaced. Otherwise the system UUID is used first, then host names, then addresses.
 */
export const identifyNode = (node: Node): NodeIdentity => {
  const key = node.metadata.name ?? '';
  const waiting = isUninitialized(node);
  const parsed = parseProviderId(node.spec.providerID);
  if (parsed.kind === 'foreign')
    return { kind: 'foreign', error: waiting ? foreignError(key, parsed.providerId) : undefined };
  const systemUuid = node.status?.nodeInfo?.systemUUID;
  if (parsed.kind === 'vsphere') {
    const { uuid } = parsed;
    if (systemUuid && !uuidOrders(systemUuid).includes(uuid))
      return { kind: 'replaced', error: replacedError(key, { providerUuid: uuid, systemUuid }) };
    return { kind: 'managed', query: { key, uuid } };
  }
  if (!waiting) return { kind: 'unmanaged' };
  const names = namesOf(node);
  const ips = addressesOf(node);
  return {
    kind: 'managed',
    query: {
      key,
      ...(systemUuid ? { uuid: systemUuid } : {}),
      ...(names.length > 0 ? { names } : {}),
      ...(ips.length > 0 ? { ips } : {}),
    },
  };
};
