import { type Clock, deadline } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import type { VCenterConfig } from '@vdo/config/driver-config';
import type { KubeClient } from '@vdo/kube/client';
import { createController } from '@vdo/kube/create-controller';
import type { Informer } from '@vdo/kube/informer';
import type { Node } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import type { CredentialsSource, VCenter } from '@vdo/vsphere/vcenter';
import { addressRulesOf } from './config/address-rules.ts';
import type { LoadedConfig } from './config/config-source.ts';
import { type CredentialsSourceOptions, createCredentialsSource } from './config/credentials-source.ts';
import type { Labels } from './decisions/node-labels.ts';
import { createNodeMetrics } from './nodes/node-metrics.ts';
import { createNodeReconciler } from './nodes/node-reconciler.ts';
import { createNodeReporter, type RecordEvent } from './nodes/node-reporter.ts';
import { createNodeWriter } from './nodes/node-writer.ts';
import { createNodeVms } from './vms/node-vms.ts';

export type CreateVCenter = (
  config: VCenterConfig,
  options: { readonly credentials: CredentialsSource; readonly caBundle: string | undefined },
) => VCenter;

export interface RunWithConfigOptions {
  readonly loaded: LoadedConfig;
  readonly kube: KubeClient;
  readonly nodes: Informer<Node>;
  readonly createVCenter: CreateVCenter;
  readonly readDirectory: CredentialsSourceOptions['readDirectory'];
  readonly recordEvent: RecordEvent;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Nodes written at once. */
  readonly concurrentNodeSyncs: number;
  /** Labels for new nodes. */
  readonly nodeLabels: Labels;
}

/** Nodes worked on at once. A worker mostly waits for its batch, so there may be many. */
const workers = 2000;
const logoutTimeoutMs = 5_000;

const logOut = async (vcenters: readonly VCenter[], clock: Clock): Promise<void> => {
  const limit = deadline(clock, logoutTimeoutMs, { reason: () => new Error('logout took too long') });
  const timedOut = new Promise<void>((resolve) => limit.signal.addEventListener('abort', () => resolve()));
  await Promise.race([Promise.allSettled(vcenters.map((vcenter) => vcenter.close())), timedOut]);
  limit.dispose();
};

/** Serves the nodes with one configuration until aborted, then logs out of every vCenter. */
export const runWithConfig = async (options: RunWithConfigOptions, signal: AbortSignal): Promise<void> => {
  const { kube, nodes, clock, random, logger, metrics } = options;
  const { config, caBundles } = options.loaded;
  const members = config.vcenters.map((vcenter) => {
    const credentials = createCredentialsSource(vcenter, { client: kube, readDirectory: options.readDirectory });
    const caBundle = caBundles.get(vcenter.tls.caFile ?? '');
    return { vcenter: options.createVCenter(vcenter, { credentials, caBundle }), datacenters: vcenter.datacenters };
  });
  const vms = createNodeVms({ members, labels: config.labels, clock, logger, signal });
  const controller = createController({
    name: 'cloud-node',
    workers,
    clock,
    random,
    logger,
    metrics,
    reconcile: createNodeReconciler({
      nodes,
      vms,
      writer: createNodeWriter({ client: kube, clock, random, concurrency: options.concurrentNodeSyncs }),
      reporter: createNodeReporter({ record: options.recordEvent, logger }),
      metrics: createNodeMetrics(metrics),
      clock,
      addressRules: addressRulesOf(config),
      topologyLabels: config.labels,
      extraLabels: options.nodeLabels,
    }),
  });
  const stops = [
    nodes.onChange(({ object }) => controller.enqueue(keyOf(object))),
    vms.onChange((node) => controller.enqueue(node)),
  ];
  try {
    await Promise.all([controller.run(signal), vms.run(signal)]);
  } finally {
    for (const stop of stops) stop();
    await logOut(
      members.map(({ vcenter }) => vcenter),
      clock,
    );
  }
};
