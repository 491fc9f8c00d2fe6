import { names } from '@vdo/config/names';
import type { Informer } from '@vdo/kube/informer';
import type { Node } from '@vdo/kube/types/core';
import type { NodeQuery } from '@vdo/vsphere/inventory/node-inventory';

/** The properties of a node that placement needs. */
export interface ClusterNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** How to find its VM; undefined if the node is known not to run on vSphere. */
  readonly query: NodeQuery | undefined;
}

/** The nodes of the cluster. `version` changes exactly when placement has to check again. */
export interface NodeSnapshot {
  readonly version: string;
  readonly nodes: readonly ClusterNode[];
}

const providerPrefix = names.providerIdPrefix;

/** How to find the VM of a node: by the UUID in its providerID, otherwise by the system UUID that the machine reports. */
export const toClusterNode = (node: Node): ClusterNode => {
  const name = node.metadata.name ?? '';
  const labels = node.metadata.labels ?? {};
  const providerId = node.spec.providerID ?? '';
  if (providerId !== '' && !providerId.startsWith(providerPrefix)) return { name, labels, query: undefined };
  const uuid = providerId.slice(providerPrefix.length) || node.status?.nodeInfo?.systemUUID;
  return { name, labels, query: { key: name, ...(uuid ? { uuid } : {}), names: [name] } };
};

const identityOf = ({ name, labels, query }: ClusterNode): string =>
  JSON.stringify([name, query?.uuid ?? '', query !== undefined, Object.entries(labels).sort()]);

/** Keeps the properties of nodes that placement needs. Ignores the heartbeats that kubelets write every few seconds. */
export const createNodeSource = (informer: Informer<Node>): (() => NodeSnapshot) => {
  const known = new Map<string, { readonly node: ClusterNode; readonly identity: string }>();
  let version = 0;
  let snapshot: NodeSnapshot | undefined;
  const changed = () => {
    version++;
    snapshot = undefined;
  };
  informer.onChange(({ type, object }) => {
    const node = toClusterNode(object);
    if (type === 'deleted') {
      known.delete(node.name);
      changed();
      return;
    }
    const identity = identityOf(node);
    if (known.get(node.name)?.identity === identity) return;
    known.set(node.name, { node, identity });
    changed();
  });
  return () => {
    snapshot ??= { version: String(version), nodes: [...known.values()].map(({ node }) => node) };
    return snapshot;
  };
};
