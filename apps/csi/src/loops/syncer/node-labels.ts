import type { Logger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import { type Node, nodes as nodeResource } from '@vdo/kube/types/core';
import { toClusterNode } from '../../placement/node-source.ts';
import { findNodeVms } from '../../placement/node-vms.ts';
import type { CsiVCenter } from '../../volumes/csi-vcenter.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { eventMessage } from '../event-message.ts';

export interface NodeLabelerDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly vcenters: readonly CsiVCenter[];
  readonly datacentersOf: (server: string) => readonly string[];
  /** Node label → category of tags. Empty: no topology. */
  readonly topologyCategories: Readonly<Record<string, string>>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly logger: Logger;
}

/** Kubernetes is not notified when tags change in vCenter, so they are read at this interval. */
const recheckMs = 600_000;

/** Labels that a node lacks, and those that differ from its tags. */
const decideNodeLabels = (
  node: Node,
  found: Readonly<Record<string, string>>,
): { readonly missing: Readonly<Record<string, string>>; readonly changed: readonly string[] } => {
  const labels = node.metadata.labels ?? {};
  const entries = Object.entries(found);
  return {
    missing: Object.fromEntries(entries.filter(([label]) => labels[label] === undefined)),
    changed: entries
      .filter(([label, value]) => labels[label] !== undefined && labels[label] !== value)
      .map(([label, value]) => `${label} is ${labels[label]}, but the tag is ${value}`),
  };
};

const topologyChanged = (node: Node, changed: readonly string[]): VdoError =>
  new VdoError({
    code: 'NodeTopologyChanged',
    message: `node ${node.metadata.name}: ${changed.join('; ')}`,
    remedy:
      'Volumes were created for this label, so it is kept. To move the node, drain it and let it join again. Otherwise restore the tag.',
  });

/** Puts the tags of the configured categories on nodes as labels, which the node role reports to the kubelet. */
export const createNodeLabeler =
  ({ kube, informers, vcenters, datacentersOf, topologyCategories, events, logger }: NodeLabelerDeps): Reconcile =>
  async (_key, { signal }) => {
    if (Object.keys(topologyCategories).length === 0) return undefined;
    // A cloud provider that has not initialized a node yet may be about to label it.
    const nodes = informers.nodes.list().filter(({ spec }) => spec.providerID !== undefined);
    const byName = new Map(nodes.map((node) => [node.metadata.name ?? '', node]));
    const { found } = await findNodeVms(nodes.map(toClusterNode), { vcenters, datacentersOf, signal });
    for (const vcenter of vcenters) {
      const here = found.filter((one) => one.vcenter.server === vcenter.server);
      const places = await vcenter.topology.locate(
        here.map(({ vm }) => vm),
        topologyCategories,
        { signal },
      );
      for (const {
        node: { name },
        vm,
      } of here) {
        const node = byName.get(name);
        if (!node) continue;
        const { missing, changed } = decideNodeLabels(node, places.get(vm.ref.value) ?? {});
        if (changed.length > 0) {
          const message = eventMessage(topologyChanged(node, changed));
          events.record(node, { type: 'Warning', reason: 'NodeTopologyChanged', message });
        }
        if (Object.keys(missing).length === 0) continue;
        const body = { metadata: { labels: missing } };
        await kube.patch(nodeResource, { name }, { type: 'merge', body }, { signal });
        logger.info('set the topology labels of a node', { node: name, labels: missing });
      }
    }
    return { requeueAfterMs: recheckMs };
  };
