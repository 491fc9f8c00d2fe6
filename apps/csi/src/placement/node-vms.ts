import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { VCenter } from '@vdo/vsphere/vcenter';
import type { ClusterNode } from './node-source.ts';

export interface NodeVm {
  readonly node: ClusterNode;
  readonly vcenter: VCenter;
  readonly vm: VmFacts;
}

export interface NodeVms {
  readonly found: readonly NodeVm[];
  /** Names of nodes whose VM no vCenter has. */
  readonly lost: readonly string[];
  /** Errors of vCenters that did not answer: their nodes are among the lost ones. */
  readonly failures: readonly unknown[];
}

export interface NodeVmsOptions {
  readonly vcenters: readonly VCenter[];
  /** Datacenters to search; empty: all. */
  readonly datacentersOf: (server: string) => readonly string[];
  readonly signal: AbortSignal;
}

/** Looks up the VMs of all nodes on all vCenters, with one batch per vCenter. */
export const findNodeVms = async (nodes: readonly ClusterNode[], options: NodeVmsOptions): Promise<NodeVms> => {
  const { vcenters, datacentersOf, signal } = options;
  const queries = nodes.flatMap(({ query }) => (query ? [query] : []));
  const answers = await Promise.allSettled(
    vcenters.map(({ nodes, server }) => nodes.resolve(queries, { datacenters: datacentersOf(server), signal })),
  );
  signal.throwIfAborted();
  const found = nodes.flatMap((node) =>
    vcenters.flatMap((vcenter, index): readonly NodeVm[] => {
      const answer = answers[index];
      const resolution = answer?.status === 'fulfilled' ? answer.value.get(node.name) : undefined;
      return resolution?.state === 'found' ? [{ node, vcenter, vm: resolution.vm }] : [];
    }),
  );
  const names = new Set(found.map(({ node }) => node.name));
  return {
    found,
    lost: nodes.filter(({ name, query }) => query && !names.has(name)).map(({ name }) => name),
    failures: answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])),
  };
};
