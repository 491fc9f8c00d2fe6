import { VdoError } from '@vdo/base/vdo-error';
import type { Node, NodeAddress } from '@vdo/kube/types/core';
import { parseIp } from './ip.ts';

/** kubelet writes its `--node-ip` here for the cloud provider. */
const annotation = 'alpha.kubernetes.io/provided-node-ip';

/** kubelet's `--node-ip` values, canonical; empty when it was not set. */
export const providedNodeIps = (node: Node): readonly string[] =>
  (node.metadata.annotations?.[annotation] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => parseIp(text)?.text ?? text);

/**
 * Puts the kubelet's addresses first. For each address type that contains one of them, the other addresses are removed.
 * Throws VdoError NodeIpNotOnVm if one of them is not among the chosen addresses.
 */
export const enforceProvidedIps = (
  node: Node,
  addresses: readonly NodeAddress[],
  options: { readonly vmName: string },
): readonly NodeAddress[] => {
  const provided = providedNodeIps(node);
  const missing = provided.find((ip) => !addresses.some(({ address }) => address === ip));
  if (missing !== undefined) {
    const chosen = addresses.map(({ type, address }) => `${type} ${address}`).join(', ');
    throw new VdoError({
      code: 'NodeIpNotOnVm',
      message: `kubelet of node ${node.metadata.name} runs with --node-ip=${provided.join(',')}, but ${missing} is not among the addresses chosen from VM ${options.vmName}: ${chosen}`,
      remedy: `Give VM ${options.vmName} the address ${missing}, remove --node-ip from the kubelet, or change the subnets and network names in section nodes of vsphere.conf so that they select it.`,
      details: { node: node.metadata.name, provided, chosen },
    });
  }
  const enforced = provided.flatMap((ip) => addresses.filter(({ address }) => address === ip));
  const enforcedTypes = new Set(enforced.map(({ type }) => type));
  return [...enforced, ...addresses.filter(({ type }) => !enforcedTypes.has(type))];
};
