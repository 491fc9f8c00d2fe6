import { VdoError } from '@vdo/base/vdo-error';
import type { Node } from '@vdo/kube/types/core';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { labelledTopology } from './node-labels.ts';

interface Topology {
  readonly zone?: string;
  readonly region?: string;
}

const levels = ['zone', 'region'] as const;

/** Problems with the tags of a node's VM. None of them stops the node from working. */
export const topologyProblem = (options: {
  readonly node: Node;
  readonly vm: VmFacts;
  /** Configured tag categories. */
  readonly categories: Topology;
  /** Tags found. */
  readonly found: Topology;
}): VdoError | undefined => {
  const { node, vm, categories, found } = options;
  const name = node.metadata.name ?? '';
  const missing = levels.filter((level) => categories[level] !== undefined && found[level] === undefined);
  if (missing.length > 0) {
    const wanted = missing.map((level) => `${level} (category ${categories[level]})`).join(' and ');
    return new VdoError({
      code: 'NodeTopologyMissing',
      message: `VM ${vm.name} of node ${name} has no tag for its ${wanted} on its host, cluster, datacenter, resource pools or folders`,
      remedy: `Attach a tag of that category to the cluster or host: govc tags.attach -c ${categories[missing[0] ?? 'zone']} <tag> <inventory path>. The label is then set automatically.`,
      details: { node: name, vm: vm.name, missing },
    });
  }
  const labelled = labelledTopology(node);
  const moved = levels.filter(
    (level) => labelled[level] !== undefined && found[level] !== undefined && labelled[level] !== found[level],
  );
  if (moved.length === 0) return undefined;
  const changes = moved.map((level) => `${level} ${labelled[level]} → ${found[level]}`).join(', ');
  return new VdoError({
    code: 'NodeTopologyChanged',
    message: `VM ${vm.name} of node ${name} has moved: ${changes}. The labels are kept, because volumes and pods are bound to them`,
    remedy: `Move the VM back. Or drain the node, run kubectl delete node ${name}, and restart kubelet so that it registers with the new labels.`,
    details: { node: name, vm: vm.name, moved },
  });
};
