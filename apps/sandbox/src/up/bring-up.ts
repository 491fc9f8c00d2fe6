import { waitUntil } from '@vdo/base/async/wait-until';
import { type Clock, sleep } from '@vdo/base/clock';
import { healthOf, isReady } from '@vdo/config/api/health';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { vdoApiVersion } from '@vdo/config/names';
import { events, nodes, persistentVolumeClaims, pods, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { demo, demoObjects } from '../environment/demo-objects.ts';
import { joinNodes, sandboxMark } from '../environment/join-nodes.ts';
import type { SandboxCluster } from '../environment/sandbox-cluster.ts';
import type { SandboxVCenter } from '../environment/sandbox-vcenter.ts';
import type { SandboxProgress } from './progress.ts';

export interface BringUpOptions {
  readonly cluster: Pick<SandboxCluster, 'kube' | 'kind' | 'outside'>;
  readonly vcenter: SandboxVCenter;
  /** The objects that install the operator. */
  readonly operatorObjects: readonly AnyObject[];
  readonly namespace: string;
  /** Cluster ID of the volumes in vCenter. Default: created by the driver. */
  readonly clusterId?: string;
  /** False: the cluster has nodes, which run the drivers; only the operator runs here, and there is no demo. */
  readonly ownNodes: boolean;
  /** Runs the operator if it is not a pod of our nodes. */
  readonly startOperator?: () => Promise<void>;
  /** Describes the mounts of the demo. */
  readonly mounts: string;
  /** Receives the UID of each applied object. */
  readonly made: Set<string>;
  /** Injects the requested faults, before the checks run for the last time. */
  readonly breakSome: () => Promise<void>;
  /** Requests a run of all checks from the operator. */
  readonly refreshNow: () => Promise<void>;
  readonly stepTimeoutMs: number;
  readonly clock: Clock;
  readonly progress: SandboxProgress;
}

/** Checks that ran before the nodes joined know little. This is the longest wait for a failing check to pass. */
const checksTimeoutMs = 15_000;
const secondMs = 1_100;
const fieldManager = 'vdo-sandbox';
export const secretName = 'vcenter';

/** The resource as an administrator would write it. */
const driversObject = ({ host, port, tls, topology }: SandboxVCenter, clusterId?: string): AnyObject => ({
  apiVersion: vdoApiVersion,
  kind: 'VSphereDrivers',
  metadata: { name: vsphereDriversName },
  spec: {
    distribution: 'Native',
    vcenters: [{ server: host, port, credentialsSecret: secretName, tls }],
    ...(topology ? { topology } : {}),
    // One replica each is enough on a laptop.
    cpi: { replicas: 1 },
    csi: { replicas: 1, ...(clusterId === undefined ? {} : { clusterId }) },
  },
});

const isAvailable = (resource: VSphereDrivers | undefined): resource is VSphereDrivers =>
  ['Available', 'NodesInitialized', 'StorageReady'].every((wanted) =>
    resource?.status?.conditions?.some(({ type, status }) => type === wanted && status === 'True'),
  );

/** In an external cluster, the namespace is marked as ours, and the operator runs as a pod only if we run the nodes. */
const operatorHere = ({ operatorObjects, cluster, ownNodes }: BringUpOptions): readonly AnyObject[] =>
  cluster.outside === undefined
    ? operatorObjects
    : operatorObjects.map((object) => {
        if (object.kind === 'Namespace')
          return {
            ...object,
            metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [sandboxMark]: 'true' } },
          };
        if (object.kind !== 'Deployment' || ownNodes) return object;
        return { ...object, spec: { ...(object['spec'] as Record<string, unknown>), replicas: 0 } };
      });

/**
 * Installs the operator, creates the resource, and waits step by step for what a user would check. Returns the number of
 * checks that fail at the end and should not.
 */
export const bringUp = async (options: BringUpOptions, signal: AbortSignal): Promise<number> => {
  const { cluster, vcenter, namespace, progress, clock } = options;
  const { kube } = cluster;
  const startedMs = clock.now();
  const remedy = options.ownNodes
    ? 'The last log lines of each program are printed above. On a slow machine, increase --timeout.'
    : `The drivers run on the nodes of the cluster. Check that the nodes have the image or can pull it: kubectl -n ${namespace} get pods`;
  const until = <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> =>
    waitUntil(ask, { what, remedy, timeoutMs: options.stepTimeoutMs, clock, signal });
  const apply = async (object: AnyObject): Promise<void> => {
    const resource = await kube.resourceFor(object.apiVersion, object.kind, { signal });
    const { metadata } = await kube.apply(resource, object, { fieldManager, force: true, signal });
    if (metadata.uid !== undefined) options.made.add(metadata.uid);
  };

  const install = async (): Promise<void> => {
    progress.update('Installing the operator');
    for (const object of operatorHere(options)) await apply(object);
    await until('the kind VSphereDrivers to be served', () =>
      kube.resourceFor(vdoApiVersion, 'VSphereDrivers').then(
        () => true,
        () => false,
      ),
    );
    await options.startOperator?.();
    progress.done(`operator: ${options.operatorObjects.length} objects applied`);
  };

  const describe = async (): Promise<void> => {
    progress.update('Creating the VSphereDrivers resource');
    const { username, password } = vcenter.account;
    await kube.apply(
      secrets,
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: secretName, namespace },
        stringData: { username, password },
      },
      { fieldManager, force: true, signal },
    );
    await apply(driversObject(vcenter, options.clusterId));
    const demonstration = options.ownNodes ? demoObjects() : [];
    for (const object of demonstration) await apply(object);
    const user = options.ownNodes ? ', and a demo: the StatefulSet diary, whose pods write to volumes' : '';
    progress.done(`applied: a Secret, one VSphereDrivers${user}`);
  };

  const reachHealthy = async (): Promise<VSphereDrivers> => {
    progress.update('Starting the operator');
    return until('the drivers to be healthy', async () => {
      const resource = await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal });
      const { word, reason } = healthOf(resource);
      // The results of the checks are printed below, after they have seen the demo's volumes too.
      if (resource && word !== 'ActionRequired' && isReady(resource)) return resource;
      // An external system may have problems that we can only report: the drivers still work.
      if (word === 'Degraded' && !vcenter.simulated && isAvailable(resource)) return resource;
      progress.update(`${word}: ${reason}`);
      return undefined;
    });
  };

  const initialized = async (): Promise<string> => {
    const { items } = await kube.list(nodes, { signal });
    const done = items.filter(({ spec }) => spec.providerID !== undefined && spec.providerID !== '').length;
    return `${done} of ${items.length} nodes initialized`;
  };

  const mountDemo = async (): Promise<string> => {
    const labelSelector = `app=${demo.name}`;
    return until(`the pods of the StatefulSet ${demo.namespace}/${demo.name} to be ready`, async () => {
      const { items } = await kube.list(pods, { namespace: demo.namespace, labelSelector, signal });
      const claims = await kube.list(persistentVolumeClaims, { namespace: demo.namespace, signal });
      const ready = items.filter(({ status }) =>
        status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True'),
      ).length;
      const bound = claims.items.filter(({ status }) => status?.phase === 'Bound').length;
      const text = `${ready} of ${demo.replicas} pods ready, ${bound} of ${demo.replicas} volumes bound`;
      progress.update(`StatefulSet ${demo.name}: ${text}`);
      return ready === demo.replicas && bound === demo.replicas ? text : undefined;
    });
  };

  /** The warnings during the start. A start that succeeded only after retries is worth reporting, too. */
  const warnings = async (): Promise<string> => {
    const { items } = await kube.list(events, { signal });
    const reported = items.filter(
      ({ type, lastTimestamp }) => type === 'Warning' && !(Date.parse(lastTimestamp ?? '') < startedMs - secondMs),
    );
    if (reported.length === 0) return 'no warnings';
    const names = reported.map(({ reason, involvedObject: { kind, name } }) => `${reason} of ${kind} ${name}`);
    return `${reported.length} warning${reported.length === 1 ? '' : 's'}: ${[...new Set(names)].slice(0, 5).join(', ')}`;
  };

  const runChecks = async (): Promise<number> => {
    const read = async () => (await kube.get(vsphereDrivers, { name: vsphereDriversName }, { signal })).status?.checks;
    const before = (await read())?.lastRunTime ?? '';
    // Times have a resolution of one second: two runs in the same second look the same.
    if (Math.abs(clock.now() - Date.parse(before)) < secondMs) await sleep(clock, secondMs, { signal });
    await options.breakSome();
    progress.update('Running the checks again');
    await options.refreshNow();
    const patientMs = clock.monotonicMs() + checksTimeoutMs;
    const ask = async () => {
      const checks = await read();
      if (!checks || checks.lastRunTime === before) return undefined;
      // A failing check stays so, and in an external system a check may stay unknown. Otherwise unknown checks get a result, even on a slow machine.
      const isOver = clock.monotonicMs() > patientMs && (checks.fail > 0 || !vcenter.simulated);
      return isOver || (checks.unknown === 0 && checks.fail === 0) ? checks : undefined;
    };
    const timeoutMs = options.stepTimeoutMs;
    const checks = await waitUntil(ask, { what: 'the checks', remedy, timeoutMs, clock, signal }).catch(read);
    signal.throwIfAborted();
    if (checks) progress.done(`checks: ${checks.pass} passed, ${checks.warn} warn, ${checks.fail} failed`);
    if (!cluster.outside) progress.done(`events: ${await warnings()}`);
    // Failing checks of an external vCenter are reported; the sandbox cannot fix them.
    return vcenter.simulated ? (checks?.fail ?? 0) : 0;
  };

  await install();
  if (options.ownNodes) {
    progress.update('Joining nodes that wait for a cloud provider');
    await joinNodes(kube, vcenter.nodes, { signal, isMarked: cluster.outside !== undefined });
    const hollow = vcenter.nodes.filter((node) => node.hollow).length;
    const note = hollow > 0 ? `; ${hollow} of them are cordoned and run nothing` : '';
    progress.done(
      `nodes: ${vcenter.nodes.length} joined, tainted until the cloud controller manager initializes them${note}`,
    );
  }
  await describe();
  const drivers = (await reachHealthy()).status?.drivers ?? [];
  const version = (kind: string) => drivers.find((driver) => driver.kind === kind)?.version ?? '';
  progress.done(`CPI ${version('CPI')}: ${await initialized()}`);
  const csi = drivers.find(({ kind }) => kind === 'CSI');
  progress.done(`CSI ${version('CSI')}: controller and ${csi?.nodes?.ready ?? 0} node pods ready`);
  if (options.ownNodes) progress.done(`StatefulSet ${demo.name}: ${await mountDemo()}; ${options.mounts}`);
  return runChecks();
};
