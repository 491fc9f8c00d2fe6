import type { ActLog } from '@vdo/acts/act-log';
import { every } from '@vdo/base/async/every';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { createController } from '@vdo/kube/create-controller';
import type { Informer } from '@vdo/kube/informer';
import type { Node } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import type { LoadedConfig } from '@vdo/program/config-source';
import type { ConnectedVCenters } from '@vdo/program/connect-vcenters';
import type { EnabledControllers } from './cli/flag-values.ts';
import { addressRulesOf } from './config/address-rules.ts';
import type { Labels } from './decisions/node-labels.ts';
import type { DeletionBudget } from './lifecycle/deletion-budget.ts';
import { createLifecycleReconciler } from './lifecycle/lifecycle-reconciler.ts';
import { createNodeMetrics } from './nodes/node-metrics.ts';
import { createNodeReconciler } from './nodes/node-reconciler.ts';
import { createNodeReporter, type RecordEvent } from './nodes/node-reporter.ts';
import { createNodeWriter } from './nodes/node-writer.ts';
import { createNodeVms } from './vms/node-vms.ts';

export interface RunWithConfigOptions {
  readonly loaded: LoadedConfig;
  readonly kube: KubeClient;
  readonly nodes: Informer<Node>;
  readonly connectVCenters: (loaded: LoadedConfig) => ConnectedVCenters;
  readonly recordEvent: RecordEvent;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly fence: Fence;
  /** Records what was deleted, with the evidence. */
  readonly actLog: ActLog;
  readonly controllers: EnabledControllers;
  /** Shared by all configurations, so that a new file does not reset the limit. */
  readonly deletionBudget: DeletionBudget;
  /** Number of nodes that are written concurrently. */
  readonly concurrentNodeSyncs: number;
  /** Labels for new nodes. */
  readonly nodeLabels: Labels;
}

/** One worker per node: a worker mostly waits for its batch, and a node that starts later could not join the batch. */
const workers = Number.POSITIVE_INFINITY;
/** How often all nodes are checked again. This costs no call for nodes whose VM is watched, and finds those that are no longer watched. */
const resyncPeriodMs = 120_000;

/** Manages the nodes with one configuration until aborted, then logs out of every vCenter. */
export const runWithConfig = async (options: RunWithConfigOptions, signal: AbortSignal): Promise<void> => {
  const { kube, nodes, clock, random, logger, metrics } = options;
  const { config } = options.loaded;
  const connected = options.connectVCenters(options.loaded);
  const members = connected.members.map(({ vcenter, config: { datacenters } }) => ({ vcenter, datacenters }));
  const vms = createNodeVms({ members, labels: config.labels, clock, logger, signal });
  const writer = createNodeWriter({
    client: kube,
    clock,
    random,
    fence: options.fence,
    concurrency: options.concurrentNodeSyncs,
  });
  const reporter = createNodeReporter({ record: options.recordEvent, logger });
  const common = { clock, random, logger, metrics };
  const nodeMetrics = createNodeMetrics(metrics);
  const cloudNode = createNodeReconciler({
    nodes,
    vms,
    writer,
    reporter,
    metrics: nodeMetrics,
    clock,
    addressRules: addressRulesOf(config),
    topologyLabels: config.labels,
    extraLabels: options.nodeLabels,
  });
  const { fence, deletionBudget: budget } = options;
  const lifecycle = createLifecycleReconciler({
    nodes,
    vms,
    client: kube,
    writer,
    fence,
    reporter,
    budget,
    clock,
    random,
    actLog: options.actLog,
    logger,
    metrics: nodeMetrics,
  });
  const controllers = [
    ...(options.controllers.cloudNode
      ? [createController({ name: 'cloud-node', workers, reconcile: cloudNode, ...common })]
      : []),
    ...(options.controllers.cloudNodeLifecycle
      ? [createController({ name: 'cloud-node-lifecycle', workers, reconcile: lifecycle, ...common })]
      : []),
  ];
  const enqueue = (node: string): void => {
    for (const controller of controllers) controller.enqueue(node);
  };
  const resync = (): void => {
    for (const node of nodes.list()) enqueue(keyOf(node));
  };
  const resyncing = { clock, periodMs: resyncPeriodMs, firstAfterMs: resyncPeriodMs };
  const stops = [nodes.onChange(({ object }) => enqueue(keyOf(object))), vms.onChange(enqueue)];
  try {
    await Promise.all([
      ...controllers.map((controller) => controller.run(signal)),
      vms.run(signal),
      every(resync, resyncing, signal),
    ]);
  } finally {
    for (const stop of stops) stop();
    await connected.close();
  }
};
