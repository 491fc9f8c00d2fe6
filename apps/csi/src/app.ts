import { type ActLog, createActLog } from '@vdo/acts/act-log';
import { createSoleUse } from '@vdo/acts/cluster-id/create-sole-use';
import { aborted } from '@vdo/base/async/aborted';
import { runTogether } from '@vdo/base/async/run-together';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import type { DriverConfig } from '@vdo/config/driver-config';
import { topologyLabelPrefix } from '@vdo/config/names';
import { Controller, GroupController, Identity } from '@vdo/csi-proto/gen/csi-pb';
import { createOperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { serveGrpc } from '@vdo/csi-proto/rpc/serve-grpc';
import { toGrpcService } from '@vdo/csi-proto/rpc/to-grpc-service';
import type { KubeClient } from '@vdo/kube/client';
import type { LeaseTimes } from '@vdo/kube/create-leader-elector';
import { createDomain } from './create-domain.ts';
import { heartbeatPlace } from './heartbeat/heartbeat-place.ts';
import { createKubeIntentStore } from './intents/kube-intent-store.ts';
import type { IntentStore } from './intents/volume-intent.ts';
import { createShareAttachments } from './loops/attacher/share-attachments.ts';
import { createControlLoops } from './loops/control-loops.ts';
import { createClusterInformers } from './loops/create-cluster-informers.ts';
import { createDatastoreFinder, createRegisterDisk } from './loops/syncer/register-disk.ts';
import { isOurs } from './loops/syncer/volume-view.ts';
import { createNodeSource } from './placement/node-source.ts';
import { acknowledgeCreated } from './rpc/acknowledge-created.ts';
import { createGroupControllerService } from './rpc/group-controller-service.ts';
import { createIdentityService } from './rpc/identity-service.ts';
import { measured, withDeadlines } from './volumes/around-operations.ts';
import { createClaimUidOf } from './volumes/claim-uid-of.ts';
import type { CsiVCenter } from './volumes/csi-vcenter.ts';
import { type FinishedSpan, traceOperations } from './volumes/trace-operations.ts';
import type { VolumeOperations, Volumes } from './volumes/volumes.ts';

export interface CsiControllerDeps extends LeaseTimes {
  readonly kube: KubeClient;
  /** The vCenters of the configuration. The code that created them closes them. */
  readonly vcenters: readonly CsiVCenter[];
  /** The account used on a vCenter: CNS records it with each volume. */
  readonly userOf: (server: string, options: { readonly signal: AbortSignal }) => Promise<string>;
  readonly config: DriverConfig;
  /** The cluster ID under which volumes are registered. */
  readonly clusterId: string;
  /** Namespace of the intents. */
  readonly namespace: string;
  /** Namespace of the Leases. */
  readonly leaseNamespace: string;
  /** Unique among all replicas. */
  readonly identity: string;
  /** `builtin` runs all control loops in this program; `external` leaves those of the upstream sidecars to the sidecars. */
  readonly sidecars: 'builtin' | 'external';
  /** Socket to serve CSI on. Without it CSI is not served, for use inside another process. */
  readonly csiEndpoint?: string;
  /** VolumeIntent objects by default. */
  readonly intents?: IntentStore;
  /** Number of claims and volumes that are processed concurrently; 20 by default. */
  readonly workers?: number;
  /** Records what was deleted, with the evidence. */
  readonly actLog?: ActLog;
  /** Where finished spans go. Default: nowhere. */
  readonly onSpan?: ((span: FinishedSpan) => void) | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface CsiController {
  /** Runs until aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Undefined if the program is ready, otherwise what it waits for. An outage of vCenter never makes it unready. */
  notReady(): string | undefined;
}

const unread = (what: string): VdoError =>
  new VdoError({
    code: 'KubeUnreachable',
    message: `the ${what} of the cluster have not been read yet`,
    remedy: 'The driver retries automatically. If this persists, see the log for why the API server does not answer.',
  });

/** The controller role: CSI identity and controller services, and the control loops. */
export const createCsiController = (deps: CsiControllerDeps): CsiController => {
  const { kube, vcenters, config, namespace, clock, random, logger, metrics } = deps;
  const { actLog = createActLog() } = deps;
  const soleUse = createSoleUse({ ...deps, place: heartbeatPlace(kube, namespace) });
  const topology = config.csi.topologyCategories.length > 0;
  const informers = createClusterInformers({ client: kube, clock, random, logger });
  const nodeSource = createNodeSource(informers.nodes);
  const tracing = { claimUidOf: createClaimUidOf(informers.volumes), onSpan: deps.onSpan, clock };
  const traced = (operations: VolumeOperations) => traceOperations(operations, tracing);
  const intents = deps.intents ?? createKubeIntentStore({ kube, namespace, logger });
  const {
    service,
    operations,
    hasAttachDoubts,
    evidence,
    detachEvidence,
    controller,
    placer,
    datacentersOf,
    clusterOn,
  } = createDomain({
    ...deps,
    actLog,
    soleUse,
    intents,
    traced,
    caches: informers,
    shareAttachments: createShareAttachments(informers),
    nodes: () => {
      if (!informers.nodes.hasSynced()) throw unread('nodes');
      return nodeSource();
    },
    isDeclared: ({ id }) => {
      if (!informers.volumes.hasSynced()) throw unread('PersistentVolumes');
      return informers.volumes.byIndex('handle', id).some(isOurs);
    },
  });
  const observer = createOperationObserver({ clock, logger, metrics });
  // The loops log their failures themselves.
  const counter = createOperationObserver({ clock, logger, metrics, failures: 'count' });
  const volumes: Volumes = {
    ...service,
    ...traced(measured(withDeadlines(operations, { clock }), counter)),
    hasAttachDoubts,
  };
  let serving = deps.csiEndpoint === undefined;
  const notReady = (): string | undefined => {
    if (!serving) return 'the CSI socket is not open yet';
    return informers.all.every((informer) => informer.hasSynced())
      ? undefined
      : 'the objects of the API server have not been read yet';
  };

  const serve = async (endpoint: string, signal: AbortSignal): Promise<void> => {
    const options = { observer, lifetime: signal };
    const identityService = createIdentityService({ topology, onlineExpansion: true, ready: () => serving });
    const server = await serveGrpc({
      endpoint,
      clock,
      services: [
        toGrpcService(Identity, identityService, options),
        toGrpcService(GroupController, createGroupControllerService(), options),
        toGrpcService(Controller, acknowledgeCreated(controller, { volumes: service, logger }), options),
      ],
    });
    serving = true;
    logger.info('serving CSI', { endpoint });
    await aborted(signal);
    serving = false;
    await server.close();
  };

  const loops = createControlLoops({
    ...deps,
    actLog,
    soleUse,
    informers,
    intents,
    volumes,
    evidence,
    detachEvidence,
    topology,
    clusterOn,
    datacentersOf,
    datastoreOf: createDatastoreFinder(placer),
    registerDisk: createRegisterDisk({ vcenters, clusterOn }),
    topologyCategories: Object.fromEntries(
      config.csi.topologyCategories.map(({ name, label }) => [label ?? `${topologyLabelPrefix}${name}`, name]),
    ),
    fullSyncMs: config.csi.fullSyncIntervalMinutes * 60_000,
  });

  return {
    notReady,
    run: (signal) => {
      const { csiEndpoint } = deps;
      // The informers run until the loops have finished their work, so that the caches stay current.
      const loopsEnded = new AbortController();
      return runTogether(signal, [
        ...informers.all.map((informer) => () => informer.run(loopsEnded.signal)),
        ...(csiEndpoint === undefined ? [] : [(stop: AbortSignal) => serve(csiEndpoint, stop)]),
        (stop) => runTogether(stop, loops).finally(() => loopsEnded.abort()),
      ]);
    },
  };
};
