import { createActLog } from '@vdo/acts/act-log';
import type { Clock } from '@vdo/base/clock';
import { type Fence, openFence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { eventComponents } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { createInformer } from '@vdo/kube/create-informer';
import { createLeaderElector } from '@vdo/kube/create-leader-elector';
import { createEventRecorder } from '@vdo/kube/events';
import type { LeaderElector } from '@vdo/kube/leader-election';
import { type ServingOptions, startServing } from '@vdo/kube/serving/start-serving';
import { createNodeTrimmer } from '@vdo/kube/trim-node';
import { nodes } from '@vdo/kube/types/core';
import type { ConfigSource, LoadedConfig } from '@vdo/program/config-source';
import type { ConnectedVCenters } from '@vdo/program/connect-vcenters';
import { followConfig, logWarnings } from '@vdo/program/follow-config';
import { vcenterId } from '@vdo/program/vcenter-id';
import type { EnabledControllers } from './cli/flag-values.ts';
import type { Labels } from './decisions/node-labels.ts';
import { createDeletionBudget, type DeletionStore } from './lifecycle/deletion-budget.ts';
import { runWithConfig } from './run-with-config.ts';

const trimNode = createNodeTrimmer({
  annotations: true,
  taints: true,
  addresses: true,
  conditions: ['Ready'],
  nodeInfo: ['systemUUID'],
});

export interface LeaderElectionSettings {
  readonly namespace: string;
  readonly name: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

export type ServingSettings = Pick<ServingOptions, 'health' | 'secure'>;

export interface CpiOptions {
  readonly kube: KubeClient;
  /** The IDs of the vCenters in a configuration. */
  readonly connectVCenters: (loaded: LoadedConfig) => ConnectedVCenters;
  readonly config: ConfigSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unique among all replicas. */
  readonly identity: string;
  /** Absent: act immediately, because no other replica can run. */
  readonly leaderElection?: LeaderElectionSettings;
  /** Absent: health and metrics are not served. */
  readonly serving?: ServingSettings;
  /** All by default. */
  readonly controllers?: EnabledControllers;
  /** Number of nodes that are written concurrently; 16 by default. */
  readonly concurrentNodeSyncs?: number;
  /** Labels for new nodes. */
  readonly nodeLabels?: Labels;
  /** Remembers deleted nodes across restarts; in memory by default. */
  readonly deletions?: DeletionStore;
}

/** The cloud controller manager. */
export interface Cpi {
  /** Runs until aborted. Throws VdoError ConfigMissing or ConfigInvalid before anything is started. */
  run(signal: AbortSignal): Promise<void>;
}

export const createCpi = (options: CpiOptions): Cpi => {
  const { kube, clock, random, logger, metrics } = options;
  const {
    controllers = { cloudNode: true, cloudNodeLifecycle: true },
    concurrentNodeSyncs = 16,
    nodeLabels = {},
  } = options;
  const actLog = createActLog();
  const informer = createInformer({ client: kube, resource: nodes, transform: trimNode, clock, random, logger });

  const recorder = createEventRecorder({
    client: kube,
    component: eventComponents.cpi,
    instance: options.identity,
    clock,
    random,
    logger,
  });

  const serve = (serving: ServingSettings): Promise<{ close(): Promise<void> }> => {
    const listed = () => (informer.hasSynced() ? undefined : (informer.lastError()?.message ?? 'not listed yet'));
    return startServing({ ...serving, client: kube, metrics, clock, logger, ready: { nodes: listed } });
  };

  const lead = async (first: LoadedConfig, fence: Fence, signal: AbortSignal): Promise<LoadedConfig> => {
    await informer.waitForSync({ signal });
    const { record: recordEvent } = recorder;
    const { deletions: store } = options;
    const deletionBudget = createDeletionBudget({ clock, logger, ...(store ? { store } : {}) });
    const settings = { controllers, deletionBudget, concurrentNodeSyncs, nodeLabels, recordEvent, fence, actLog };
    const work = (loaded: LoadedConfig, roundSignal: AbortSignal) => {
      logger.info('managing the nodes', { vcenters: loaded.config.vcenters.map(vcenterId) });
      return runWithConfig({ ...options, ...settings, loaded, nodes: informer }, roundSignal);
    };
    return followConfig({ first, source: options.config, work, clock, logger }, signal);
  };

  const elector = (settings: LeaderElectionSettings): LeaderElector => {
    const { namespace, name, ...times } = settings;
    const { identity } = options;
    const lease = { namespace, name };
    return createLeaderElector({ client: kube, lease, identity, clock, random, logger, metrics, ...times });
  };

  return {
    run: async (signal) => {
      let loaded = await options.config.load({ signal });
      logWarnings(logger, loaded);
      const server = options.serving && (await serve(options.serving));
      const done = new AbortController();
      const watching = informer.run(AbortSignal.any([signal, done.signal]));
      const leader = options.leaderElection && elector(options.leaderElection);
      const work = async (leading: AbortSignal): Promise<void> => {
        loaded = await lead(loaded, leader ?? openFence, leading);
      };
      try {
        await (leader ? leader.run(signal, work) : work(signal));
      } finally {
        done.abort();
        await watching;
        await recorder.flush();
        await server?.close();
      }
    },
  };
};
