import { createActLog } from '@vdo/acts/act-log';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { withoutClusterId } from '@vdo/acts/sole-use';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import { type HttpTransport, httpResponse } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import type { VdoError } from '@vdo/base/vdo-error';
import type { Check } from '@vdo/checks/check';
import type { DocumentSource } from '@vdo/config/api/field-types';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { eventComponents, names } from '@vdo/config/names';
import { createInventoryEndpoint, inventoryPath } from '@vdo/dashboard/inventory-endpoint';
import { type NotedPlaces, placesNote } from '@vdo/dashboard/source/places-note';
import type { Probes } from '@vdo/gather/gather-deps';
import { createApplyMemory } from '@vdo/kube/apply/apply-memory';
import { createApplier } from '@vdo/kube/apply/create-applier';
import { describeRef } from '@vdo/kube/apply/object-ref';
import type { KubeClient } from '@vdo/kube/client';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import { createController } from '@vdo/kube/create-controller';
import { createInformer } from '@vdo/kube/create-informer';
import { createLeaderElector } from '@vdo/kube/create-leader-elector';
import { specChanged } from '@vdo/kube/enqueue-on';
import { createEventRecorder } from '@vdo/kube/events';
import { fenceWrites } from '@vdo/kube/fence-writes';
import { type ServingOptions, startServing } from '@vdo/kube/serving/start-serving';
import { createSharedBackoff } from '@vdo/kube/shared-backoff';
import { clusterRoles } from '@vdo/kube/types/cluster';
import { configMaps } from '@vdo/kube/types/core';
import { createLoginMemory } from '@vdo/program/login-memory';
import type { KeptMatrix } from '@vdo/releases/load-matrix';
import { keptMatrixSchema, releaseHistorySchema } from '@vdo/releases/notes';
import type { DocumentReaders } from '@vdo/releases/read-document';
import type { ReleaseHistory } from '@vdo/releases/release-history';
import { driverRoleLabel } from '@vdo/releases/render/roles/driver-role';
import { createCheckRunner } from './checks/check-runner.ts';
import type { VCenterNews } from './checks/check-schedule.ts';
import { createCniKeeper } from './cni/cni-keeper.ts';
import { createNetworkMemory } from './cni/network-memory.ts';
import { forgetNotes } from './forget-notes.ts';
import { createApiServerPort } from './gather/api-server-port.ts';
import { countVolumes } from './gather/count-volumes.ts';
import { impatientVCenter } from './gather/impatient-vcenter.ts';
import { createLeftLeases } from './gather/left-leases.ts';
import { createMatrixKeeper } from './gather/matrix-keeper.ts';
import { createVCenterObserver } from './gather/observe-vcenters.ts';
import { createOwnIdMemory } from './gather/own-id-memory.ts';
import { createProvenAccounts } from './gather/proven-accounts.ts';
import { createRolloutMemory } from './gather/rollout-memory.ts';
import { createSpecMemory, type NotedSpec } from './gather/spec-memory.ts';
import { createVCenterPool, type VCenterFactory } from './gather/vcenter-pool.ts';
import { createInstaller } from './installer.ts';
import { createPlaceKeeper } from './node-places.ts';
import { createOwnStatus } from './own-status.ts';
import { needsCount } from './pass/census.ts';
import { createPassPace } from './pass-pace.ts';
import { createReconcile } from './reconcile.ts';
import { createStatusMetrics } from './status-metrics.ts';
import { createStatusPage, type StatusPageOptions } from './status-page.ts';
import { createSteadyTime } from './steady-time.ts';
import { createVolumeCensus } from './volume-census.ts';
import { createVolumeInventory } from './volume-inventory.ts';
import { createWaker } from './waker.ts';
import { inputsOf, watchCluster } from './watch-cluster.ts';

export interface OperatorOptions {
  readonly kube: KubeClient;
  readonly createVCenter: VCenterFactory;
  /** Readers of documents outside the cluster. */
  readonly readers: Pick<DocumentReaders, 'connect' | 'readFile'>;
  readonly probes: Probes;
  /** Default: all checks. */
  readonly checks?: readonly Check[] | undefined;
  readonly matrix: {
    /** The address of the public matrix. If absent, the matrix in the image is used, unless the spec sets another source. */
    readonly defaultUrl?: string;
    /** Public keys that are trusted without being listed in the spec. */
    readonly trustedKeys: readonly string[];
  };
  readonly namespace: string;
  /** The registry of the release's images, unless the spec sets one. If absent, the spec must set one. */
  readonly registry?: string;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unique among all replicas. */
  readonly identity: string;
  /** Default true. */
  readonly leaderElect?: boolean;
  /** Time between attempts to get the Lease; 2 s by default. */
  readonly retryPeriodMs?: number;
  /** Serves the status page on the secure port too, under the names of its Service and these hosts. If absent, it is not served. */
  readonly dashboard?: Pick<StatusPageOptions, 'hosts' | 'rates'>;
  /** If absent, health and metrics are not served. */
  readonly serving?: Pick<ServingOptions, 'health' | 'secure'>;
}

export const fieldManager = names.operator;
/** The shortest time between two starts of a watch, for proxies that end every watch after seconds. Replicas that do not lead can wait longer. */
const newWatchMs = { leading: 75_000, waiting: 300_000 } as const;
/** A separate field manager, so that the pod network never counts as part of the drivers. */
const cniFieldManager = 'vdo-operator-cni';
const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
/** What the operator records besides the inventory. */
const notes = {
  releases: names.releaseHistory,
  matrix: names.keptMatrix,
  spec: names.keptSpec,
  places: placesNote.name,
} as const;

/** The operator: watches the resource and everything that affects it, and reconciles while it holds the Lease. */
export const createOperator = (options: OperatorOptions): { run(signal: AbortSignal): Promise<void> } => {
  const { namespace, clock, random, logger, metrics, identity } = options;
  const common = { client: options.kube, clock, random, logger };
  let isLeading = options.leaderElect === false;
  const watchEveryMs = () => newWatchMs[isLeading ? 'leading' : 'waiting'];
  const following = { ...common, backoff: createSharedBackoff({ clock, random, watchEveryMs }) };
  const lease = { namespace, name: fieldManager };
  const elector =
    options.leaderElect === false
      ? undefined
      : createLeaderElector({
          ...common,
          lease,
          identity,
          metrics,
          ...(options.retryPeriodMs === undefined ? {} : { retryPeriodMs: options.retryPeriodMs }),
        });
  /** The client with which a pass writes, fenced by the Lease. Events and the record of rejected logins are not fenced: they are true whoever leads. */
  const fence: Fence = { assertHeld: () => elector?.assertHeld() };
  const kube = fenceWrites(options.kube, fence);
  const acting = { client: options.kube, clock, random, fence, log: createActLog(), soleUse: withoutClusterId };
  const onUnreadable = (error: VdoError): void => {
    logger.warn('a record cannot be read and is replaced by a new one', { error });
    const resource = resources.get(vsphereDriversName);
    const message = `${error.message}. VDO starts a new record.`;
    if (resource) recorder.record(resource, { type: 'Warning', reason: error.code, message });
  };
  /** Only the leader writes records, on top of what it has read; an unreadable record is replaced. */
  const note = <T>(name: string, empty: T, isValid: (value: unknown) => boolean = isRecord) =>
    createConfigMapState<T>(
      {
        client: kube,
        namespace,
        name,
        key: 'state',
        isValid,
        version: 1,
        onUnreadable,
        exclusive: true,
      },
      empty,
    );
  const recorder = createEventRecorder({ ...common, component: eventComponents.operator, instance: identity });
  /** The ConfigMaps that were read, by resourceVersion: one that has changed since, or came from a stale cache, is read again. */
  const readVersions = new Map<string, string | undefined>();
  const isCurrent = (source: DocumentSource | undefined): boolean => {
    const name = source?.configMap?.name;
    return name === undefined || readVersions.get(name) === cluster.documentVersion(name);
  };
  const readers: DocumentReaders = {
    ...options.readers,
    readConfigMap: async (name, call) => {
      const found = await kube.find(configMaps, { namespace, name }, call);
      readVersions.set(name, found?.metadata.resourceVersion);
      return found && (found.data ?? {});
    },
  };
  const matrix = createMatrixKeeper({
    readers,
    isCurrent,
    store: note<KeptMatrix>(notes.matrix, {}, (value) => keptMatrixSchema.safeParse(value).success),
    ...options.matrix,
    clock,
    random,
  });
  const specs = createSpecMemory({
    store: note<NotedSpec>(notes.spec, {}),
    noteVersion: () => cluster.documentVersion(notes.spec),
  });
  const places = createPlaceKeeper({ store: note<NotedPlaces>(notes.places, {}), clock, logger });
  const inventory = createVolumeInventory();
  /** Only the leader reads vCenter. */
  const inventoryIfLeading = () => (isLeading ? inventory.current() : undefined);
  const checks = createCheckRunner({
    checks: options.checks,
    probes: options.probes,
    clock,
    random,
    metrics,
    onVolume: inventory.onVolume,
    onFacts: async (facts) => {
      inventory.see(facts);
      await places.see(facts);
    },
  });
  const cniInventory = { namespace, name: names.cniInventory };
  const cniApplier = createApplier({
    client: kube,
    fieldManager: cniFieldManager,
    inventory: cniInventory,
    clock,
    logger,
  });
  const cni = createCniKeeper({ applier: cniApplier, readers, isCurrent, clock, random });
  const memory = createApplyMemory(clock, () => wake.objects.wake());
  const steady = createSteadyTime(clock);
  const pace = createPassPace(clock, () => controller.enqueue(vsphereDriversName, { afterMs: 0 }));
  const observe = (afterMs: number) => {
    checks.touch();
    pace.observe(afterMs);
  };
  const observeVCenter = (news: VCenterNews) => (afterMs: number) => {
    if (checks.touchVCenter(news)) pace.observe(Math.max(afterMs, checks.dueInMs()));
  };
  // Frequent changes must not delay rare ones, so each kind has its own waker.
  const wake = {
    nodes: createWaker(clock, observe),
    objects: createWaker(clock, observe),
    inputs: createWaker(clock, observe),
    status: createWaker(clock, pace.observe),
    alarm: createWaker(clock, observeVCenter('alarm')),
    change: createWaker(clock, observeVCenter('change')),
    interrupted: createWaker(clock, observeVCenter('interrupted')),
    restored: createWaker(clock, observeVCenter('restored')),
  };
  const leftLeases = createLeftLeases(kube);
  const cluster = watchCluster({
    ...following,
    namespace,
    inputs: () => inputsOf(specs.followed()),
    onNode: wake.nodes.wake,
    onObject: (ref, metadata, isReport) => {
      checks.touch();
      // A write of the operator itself, or a competing write to the same object, does not trigger a pass at once: the object is
      // read again when its next repair may run.
      const isNews = memory.saw(ref, metadata) || isReport;
      if (isNews && !memory.isResting(ref)) wake.objects.wake();
    },
    onInput: wake.inputs.wake,
    onUpstreamPod: (change) => {
      if (leftLeases.see(change)) wake.objects.wake();
    },
  });

  const census = createVolumeCensus({
    count: (call) => countVolumes(kube, call),
    isNeeded: () => needsCount(resources.get(vsphereDriversName)),
    onChange: () => pace.observe(0),
    clock,
    logger,
  });
  const guard = createLoginMemory({ kube: options.kube, namespace, program: 'operator', clock, logger });
  const proven = createProvenAccounts({ kube, namespace, guard });
  const vcenters = createVCenterPool(
    (spec) => {
      const login = proven.loginOf(spec);
      return { ...impatientVCenter(options.createVCenter(spec, login), clock), readVersion: login.readVersion };
    },
    cluster.secretVersion,
    {
      alarm: wake.alarm.wake,
      change: wake.change.wake,
      interrupted: wake.interrupted.wake,
      restored: wake.restored.wake,
    },
  );
  const ownStatus = createOwnStatus();
  const installer = createInstaller({ ...common, client: kube, namespace, fieldManager, memory });
  const reconcile = createReconcile({
    ...installer,
    // A cluster does not work without its network, so the network stays when the drivers are removed.
    removeAll: async (call) => {
      const [report, network] = [await installer.removeAll(call), await cniApplier.inventory(call)];
      return { ...report, left: [...report.left, ...network.map(describeRef)] };
    },
    begin: (act, subject, signal) => beginAttempt(acting, { act, subject, signal }),
    kube,
    namespace,
    ...(options.registry === undefined ? {} : { registry: options.registry }),
    vcenters,
    proven,
    rollouts: createRolloutMemory(clock),
    applyMemory: memory,
    steady,
    leftLeases,
    observer: createVCenterObserver({ clock, testedMsAgo: checks.testedMsAgo }),
    matrix,
    specs,
    checks,
    cni,
    network: createNetworkMemory({ kube, clock }),
    history: note<ReleaseHistory>(notes.releases, {}, (value) => releaseHistorySchema.safeParse(value).success),
    forget: (call) => {
      places.stop();
      return forgetNotes(kube, { namespace, notes: Object.values(notes) }, call);
    },
    ownId: createOwnIdMemory(),
    census,
    onProgress: wake.objects.forgive,
    pace,
    nodes: cluster.nodes,
    secretVersion: cluster.secretVersion,
    apiServerPort: createApiServerPort({ kube, clock }),
    driverRoles: async ({ signal }) =>
      cluster.driverRoles() ?? (await kube.list(clusterRoles, { labelSelector: driverRoleLabel, signal })).items,
    clock,
    operatorVersion: options.version,
    ownStatus,
    recordEvent: (resource, event) => recorder.record(resource, event),
    onStatus: createStatusMetrics(metrics),
  });
  const resources = createInformer({ ...following, resource: vsphereDrivers });
  const controller = createController({
    name: 'vspheredrivers',
    reconcile,
    clock,
    random,
    logger,
    metrics,
  });
  resources.onChange((change) => {
    if (specChanged(change)) controller.enqueue(change.object.metadata.name ?? '');
    else if (ownStatus.isOverwritten(change) && isLeading) wake.status.wake();
  });

  const work = async (signal: AbortSignal): Promise<void> => {
    isLeading = true;
    following.backoff.hurry();
    steady.beginTerm();
    signal.addEventListener(
      'abort',
      () => {
        isLeading = false;
      },
      { once: true },
    );
    await Promise.all([resources, cluster].map((watched) => watched.waitForSync({ signal })));
    await Promise.all([controller.run(signal), census.run(signal)]);
  };
  const lead = (signal: AbortSignal): Promise<void> => (elector ? elector.run(signal, work) : work(signal));

  const page =
    options.dashboard &&
    createStatusPage({ ...common, ...options.dashboard, namespace, metrics, inventory: inventoryIfLeading });
  const serveInventory = createInventoryEndpoint(inventoryIfLeading);
  const pages: HttpTransport = async (request) => {
    if (request.path === inventoryPath) return serveInventory(request);
    return page ? page.handler(request) : httpResponse(404, 'not found; try /metrics\n');
  };

  const serve = async () => {
    if (!options.serving) return undefined;
    const notListed = () => resources.lastError()?.message ?? (resources.hasSynced() ? undefined : 'not listed yet');
    return startServing({
      ...options.serving,
      ...{ client: kube, metrics, clock, logger },
      ready: { vspheredrivers: notListed },
      pages,
    });
  };

  return {
    run: async (signal) => {
      const server = await serve();
      const done = new AbortController();
      const watching = AbortSignal.any([signal, done.signal]);
      // Each of about 20 watches listens to it.
      const watches = Promise.all([resources, cluster, ...(page ? [page] : [])].map((one) => one.run(watching)));
      try {
        await lead(signal);
      } finally {
        done.abort();
        pace.stop();
        places.stop();
        await watches;
        await recorder.flush();
        await vcenters.close();
        await server?.close();
      }
    },
  };
};
