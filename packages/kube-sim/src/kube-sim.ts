import type { Clock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { cleanUpCrds } from './api/crd-cleanup.ts';
import { bootstrapCluster } from './bootstrap.ts';
import { createAttachDetachController } from './controllers/attach-detach.ts';
import { createDaemonSetController } from './controllers/daemon-sets.ts';
import { createDeploymentController } from './controllers/deployments.ts';
import { createEphemeralClaimController } from './controllers/ephemeral-claims.ts';
import { createGarbageCollector } from './controllers/garbage-collector.ts';
import { createLocalApi } from './controllers/local-api.ts';
import { createNamespaceController } from './controllers/namespaces.ts';
import { createPodGc } from './controllers/pod-gc.ts';
import { createReplicaSetController } from './controllers/replica-sets.ts';
import { runControllers } from './controllers/run-controllers.ts';
import { createScheduler } from './controllers/scheduler.ts';
import { createStatefulSetController } from './controllers/stateful-sets.ts';
import { createVolumeBinder } from './controllers/volume-binder.ts';
import { createWorkloadRunner, type Workload } from './controllers/workload-runner.ts';
import { createFaults, type Faults } from './faults.ts';
import { createHandler } from './http/handler.ts';
import { createIdentities, type Identities, type Identity } from './http/identities.ts';
import { createEncoder } from './http/reply.ts';
import type { PodLogs } from './http/subresource-endpoints.ts';
import { createRegistry } from './resources/registry.ts';
import { createStore, type Store, type StoreSnapshot } from './store/store.ts';

export interface KubeSimOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The version in `/version`; `v1.34.4` by default. */
  readonly version?: string;
  /** Continues from an earlier snapshot instead of an empty cluster. */
  readonly snapshot?: StoreSnapshot;
  /** Number of changes from which watches can resume; 20000 by default. */
  readonly historyLimit?: number;
  /** If false, field ownership of created objects is not recorded, which is most of the work of a write. True by default. */
  readonly recordsManagers?: boolean;
  /** How often an idle watch gets a bookmark; one minute by default. */
  readonly bookmarkEveryMs?: number;
  /** Bearer tokens that are known from the start. Requests without a token come from the administrator. */
  readonly tokens?: Readonly<Record<string, Identity>>;
  /**
   * What an image name runs inside this process. With it the simulator schedules and runs pods itself; without it pods
   * wait for a scheduler and a kubelet that are clients of the API.
   */
  readonly workloadOf?: (image: string) => Workload | undefined;
  /** The log of a pod that a kubelet outside runs; undefined if it has none. */
  readonly podLogs?: PodLogs;
  /** How long after a change controllers act; 5 ms by default. */
  readonly reactionMs?: number;
}

/** An embedded Kubernetes API server. */
export interface KubeSim {
  readonly handler: HttpTransport;
  readonly store: Store;
  readonly faults: Faults;
  readonly identities: Identities;
  /** Breaks the connection of every running watch; clients resume. */
  dropWatches(): void;
  /** Simulates an outage, as in a restart: connections break, and new ones fail. State and history are kept. */
  interrupt(durationMs: number): void;
  snapshot(): StoreSnapshot;
  /** Runs the controllers behind the API until aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export const createKubeSim = (options: KubeSimOptions): KubeSim => {
  const { clock, random, logger } = options;
  const store = createStore({
    ...(options.historyLimit === undefined ? {} : { historyLimit: options.historyLimit }),
    ...(options.snapshot ? { initial: options.snapshot } : {}),
  });
  const registry = createRegistry(store);
  const faults = createFaults(random);
  const identities = createIdentities({ clock, random, ...(options.tokens ? { tokens: options.tokens } : {}) });
  const api = { store, registry, clock, random, recordsManagers: options.recordsManagers ?? true };
  bootstrapCluster(api);
  cleanUpCrds(api);
  const local = createLocalApi(api, 'kube-controller-manager');
  const { workloadOf } = options;
  const runner = workloadOf && createWorkloadRunner({ api: local, clock, logger, workloadOf });
  const controllers = () => [
    createNamespaceController(api, local),
    createGarbageCollector(api),
    createDeploymentController(local, clock),
    createReplicaSetController(local),
    createDaemonSetController(local),
    createStatefulSetController(local),
    createVolumeBinder(local),
    createAttachDetachController(local, clock),
    createEphemeralClaimController(local),
    createPodGc(local),
    ...(runner ? [createScheduler(local), runner] : []),
  ];
  const running = {
    store,
    clock,
    logger,
    ...(options.reactionMs === undefined ? {} : { reactionMs: options.reactionMs }),
  };
  let breaker = new AbortController();

  const handler = createHandler({
    ...api,
    logger,
    faults,
    identities,
    encoder: createEncoder(),
    podLogs: (pod, asked) => options.podLogs?.(pod, asked) ?? runner?.logs(pod.metadata.uid ?? ''),
    version: options.version ?? 'v1.34.4',
    bookmarkEveryMs: options.bookmarkEveryMs ?? 60_000,
    watchBreaker: () => breaker.signal,
  });
  const dropWatches = () => {
    breaker.abort();
    breaker = new AbortController();
  };

  return {
    handler,
    store,
    faults,
    identities,
    dropWatches,
    interrupt: (durationMs) => {
      dropWatches();
      clock.schedule(faults.add({ effect: { kind: 'disconnect' } }), durationMs);
    },
    snapshot: store.snapshot,
    run: (signal) => runControllers(controllers(), running, signal),
  };
};
