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
  /** What installs the operator. */
  readonly operatorObjects: readonly AnyObject[];
  readonly namespace: string;
  /** Under which vCenter is to list the volumes. Default: one that the driver makes. */
  readonly clusterId?: string;
  /** False: the cluster has nodes of its own, which run the drivers; the operator alone runs here, and there is no demo. */
  readonly ownNodes: boolean;
  /** Runs the operator where no node of ours does. */
  readonly startOperator?: () => Promise<void>;
  /** What is said of the demo's mounts. */
  readonly mounts: string;
  /** Told the uid of each object that is applied. */
  readonly made: Set<string>;
  /** What is broken on purpose before the checks run for the last time. */
  readonly breakSome: () => Promise<void>;
  /** Asks the operator to run all checks now. */
  readonly refreshNow: () => Promise<void>;
  readonly stepTimeoutMs: number;
  readonly clock: Clock;
  readonly progress: SandboxProgress;
}

/** Checks that ran before the nodes were there know little; nobody has to wait longer than this for one that fails. */
const checksTimeoutMs = 15_000;
const secondMs = 1_100;
const fieldManager = 'vdo-sandbox';
export const secretName = 'vcenter';

/** What an administrator would write. */
const driversObject = ({ host, port, tls, topology }: SandboxVCenter, clusterId?: string): AnyObject => ({
  apiVersion: vdoApiVersion,
  kind: 'VSphereDrivers',
  metadata: { name: vsphereDriversName },
  spec: {
    distribution: 'Native',
    vcenters: [{ server: host, port, credentialsSecret: secretName, tls }],
    ...(topology ? { topology } : {}),
    // One of each is enough on a laptop.
    cpi: { replicas: 1 },
    csi: { replicas: 1, ...(clusterId === undefined ? {} : { clusterId }) },
  },
});

const isAvailable = (resource: VSphereDrivers | undefined): resource is VSphereDrivers =>
  ['Available', 'NodesInitialized', 'StorageReady'].every((wanted) =>
    resource?.status?.conditions?.some(({ type, status }) => type === wanted && status === 'True'),
  );

/** In a cluster of somebody else the namespace says whose it is, and the operator is no pod unless we run it. */
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
 * Installs the operator, describes what is wanted, and waits for what a user would look at, step by step. Returns how many
 * checks fail at the end that should not.
 */
export const bringUp = async (options: BringUpOptions, signal: AbortSignal): Promise<number> => {
  const { cluster, vcenter, namespace, progress, clock } = options;
  const { kube } = cluster;
  const startedMs = clock.now();
  const remedy = options.ownNodes
    ? 'The last lines of each program are above; --timeout gives a slow machine more time.'
    : `The drivers run on the nodes of the cluster, which must have their image or be able to pull it: kubectl -n ${namespace} get pods`;
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
    progress.update('Describing what is wanted');
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
    progress.update('The operator starts');
    return until('the drivers to be healthy', async () => {
      const resource = await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal });
      const { word, reason } = healthOf(resource);
      // What the checks find is told below, when they have seen the demo's volumes too.
      if (resource && word !== 'ActionRequired' && isReady(resource)) return resource;
      // What is not ours may have flaws that we can only show: the drivers work all the same.
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

  /** Nobody has seen anything go wrong: a start that ends well by trying again is worth a look, too. */
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
    // Times are whole seconds: a run in the same one would look like the last.
    if (Math.abs(clock.now() - Date.parse(before)) < secondMs) await sleep(clock, secondMs, { signal });
    await options.breakSome();
    progress.update('The checks run once more');
    await options.refreshNow();
    const patientMs = clock.monotonicMs() + checksTimeoutMs;
    const ask = async () => {
      const checks = await read();
      if (!checks || checks.lastRunTime === before) return undefined;
      // What fails stays so, and what is not ours may never be known. What is not judged yet will be, on however slow a machine.
      const isOver = clock.monotonicMs() > patientMs && (checks.fail > 0 || !vcenter.simulated);
      return isOver || (checks.unknown === 0 && checks.fail === 0) ? checks : undefined;
    };
    const timeoutMs = options.stepTimeoutMs;
    const checks = await waitUntil(ask, { what: 'the checks', remedy, timeoutMs, clock, signal }).catch(read);
    signal.throwIfAborted();
    if (checks) progress.done(`checks: ${checks.pass} passed, ${checks.warn} warn, ${checks.fail} failed`);
    if (!cluster.outside) progress.done(`events: ${await warnings()}`);
    // What fails on a vCenter of somebody else is told; the sandbox cannot mend it.
    return vcenter.simulated ? (checks?.fail ?? 0) : 0;
  };

  await install();
  if (options.ownNodes) {
    progress.update('Joining nodes that wait for a cloud provider');
    await joinNodes(kube, vcenter.nodes, { signal, isMarked: cluster.outside !== undefined });
    const hollow = vcenter.nodes.filter((node) => node.hollow).length;
    const note = hollow > 0 ? `; ${hollow} of them are cordoned and run nothing` : '';
    progress.done(`nodes: ${vcenter.nodes.length} joined, tainted until the cloud provider knows them${note}`);
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
