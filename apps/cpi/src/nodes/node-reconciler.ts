import type { Clock } from '@vdo/base/clock';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { Reconcile } from '@vdo/kube/controller';
import type { Informer } from '@vdo/kube/informer';
import type { Node } from '@vdo/kube/types/core';
import type { NodeQuery, VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { AddressRules } from '../decisions/discover-addresses.ts';
import { identifyNode } from '../decisions/node-identity.ts';
import type { Labels } from '../decisions/node-labels.ts';
import { type NodeFacts, planNodeUpdate } from '../decisions/node-update.ts';
import { retryDelayMs } from '../decisions/retry-delay.ts';
import { isUninitialized } from '../decisions/taints.ts';
import { topologyProblem } from '../decisions/topology-problem.ts';
import type { NodeVms } from '../vms/node-vms.ts';
import type { TopologyLabels } from '../vms/topology-lookup.ts';
import type { NodeMetrics } from './node-metrics.ts';
import type { NodeReporter } from './node-reporter.ts';
import type { NodeWriter } from './node-writer.ts';

export interface NodeReconcilerOptions {
  readonly nodes: Pick<Informer<Node>, 'get'>;
  readonly vms: NodeVms;
  readonly writer: NodeWriter;
  readonly reporter: NodeReporter;
  readonly metrics: NodeMetrics;
  readonly clock: Clock;
  /** By vCenter ID. */
  readonly addressRules: ReadonlyMap<string, AddressRules>;
  readonly topologyLabels: TopologyLabels;
  readonly extraLabels: Labels;
}

/** A node that waits is checked at least every 30 s. An initialized node is checked less often, because its VM may be powered off for long. */
const maxWaitingPeriodMs = 32_000;
const maxInitializedPeriodMs = 256_000;
/** A missing tag may be attached later, and vCenter does not report this. */
const missingTagPeriodMs = 300_000;

const rulesFor = (options: NodeReconcilerOptions, vm: VmFacts): AddressRules => {
  const rules = options.addressRules.get(vm.server);
  if (rules) return rules;
  throw new VdoError({
    code: 'Internal',
    message: `VM ${vm.name} was found on ${vm.server}, which is not configured`,
    remedy: 'This is a bug in VDO. Collect the logs and report it.',
  });
};

/** Reconciles one Node with its VM: initializes it, then keeps addresses and labels up to date. */
export const createNodeReconciler = (options: NodeReconcilerOptions): Reconcile => {
  const { nodes, vms, writer, reporter, metrics, clock } = options;
  const attempts = new Map<string, number>();

  const sync = async (node: Node, query: NodeQuery, signal: AbortSignal): Promise<{ tagMissing: boolean }> => {
    const vm = await vms.find(query);
    const topology = await vms.locate(vm);
    const vcenter = vms.instanceOf(vm.server);
    const facts: NodeFacts = {
      vm,
      ...(vcenter ? { vcenter } : {}),
      topology,
      addressRules: rulesFor(options, vm),
      sharedAddresses: vms.sharedAddresses,
      extraLabels: options.extraLabels,
    };
    const update = await writer.write(node, (current) => planNodeUpdate(current, facts), { signal });
    const tags = topologyProblem({ node, vm, categories: options.topologyLabels, found: topology });
    reporter.report(node, 'topology', tags);
    reporter.report(node, 'addresses', update.addressProblem);
    if (update.initializes) {
      reporter.note(node, 'Synced', 'Node synced successfully');
      metrics.initialized((clock.now() - Date.parse(node.metadata.creationTimestamp ?? '')) / 1000);
    }
    return { tagMissing: tags?.code === 'NodeTopologyMissing' };
  };

  const fail = (node: Node, problem: VdoError): { requeueAfterMs: number } => {
    const name = node.metadata.name ?? '';
    const attempt = (attempts.get(name) ?? 0) + 1;
    attempts.set(name, attempt);
    metrics.failed(problem.code);
    const waiting = isUninitialized(node);
    // The watch of a vCenter reports its outage once. It is not repeated for each node that works as before.
    if (waiting || problem.code.startsWith('Node')) reporter.report(node, 'sync', problem);
    const maxPeriodMs = waiting ? maxWaitingPeriodMs : maxInitializedPeriodMs;
    return { requeueAfterMs: retryDelayMs({ attempt, nowMs: clock.now(), maxPeriodMs }) };
  };

  return async (name, { signal }) => {
    const node = nodes.get(name);
    if (!node) {
      vms.forget(name);
      reporter.forget(name);
      attempts.delete(name);
      return undefined;
    }
    const identity = identifyNode(node);
    if (identity.kind === 'unmanaged') return undefined;
    if (identity.kind !== 'managed') {
      reporter.report(node, 'sync', identity.error);
      return undefined;
    }
    try {
      const { tagMissing } = await sync(node, identity.query, signal);
      attempts.delete(name);
      reporter.report(node, 'sync', undefined);
      return tagMissing ? { requeueAfterMs: missingTagPeriodMs } : undefined;
    } catch (error) {
      if (signal.aborted) throw error;
      // Deleted in the meantime: the informer reports it.
      if (isVdoError(error, 'KubeNotFound')) return undefined;
      return fail(node, toVdoError(error));
    }
  };
};
