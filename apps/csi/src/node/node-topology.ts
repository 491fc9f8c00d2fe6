import { VdoError } from '@vdo/base/vdo-error';
import { taintKeys } from '@vdo/config/names';
import type { Node } from '@vdo/kube/types/core';

const uninitializedTaint = taintKeys.uninitialized;

/**
 * The topology of a node from the labels that its cloud provider sets. A label that an initialized node lacks is omitted: some sites have
 * zones but no regions. The topology of a node that still waits for its cloud provider is not known yet.
 */
export const decideNodeTopology = (node: Node, labels: readonly string[]): Readonly<Record<string, string>> => {
  const found = labels.flatMap((label) => {
    const value = node.metadata.labels?.[label];
    return value === undefined ? [] : [[label, value] as const];
  });
  const waiting = (node.spec.taints ?? []).some(({ key }) => key === uninitializedTaint);
  if (found.length > 0 && !(waiting && found.length < labels.length)) return Object.fromEntries(found);
  const name = node.metadata.name ?? '';
  throw new VdoError({
    code: 'NodeTopologyMissing',
    message: `node ${name} has none of the topology labels ${labels.join(', ')}${waiting ? ': its cloud provider has not initialized it yet' : ''}`,
    remedy: waiting
      ? `No action needed if the node is new. Otherwise see kubectl describe node ${name}.`
      : `Attach tags of the configured categories to the VM of ${name} or to one of its parents in the inventory, or label the node manually.`,
    retry: 'backoff',
    details: { node: name, labels },
  });
};
