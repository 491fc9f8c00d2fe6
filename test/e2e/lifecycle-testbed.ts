import { runTogether } from '@vdo/base/async/run-together';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys, names } from '@vdo/config/names';
import { createInformer } from '@vdo/kube/create-informer';
import { events, type Node, nodes, persistentVolumes, pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { ContainerRunner } from '@vdo/sandbox/process-kubelet/container-runner';
import { createTempFolder } from '../harness/cleanup.ts';
import type { LoggedProcess } from '../harness/process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { createPretender } from './lifecycle-pretender.ts';
import { createUpstreamNode, createUpstreamServer } from './lifecycle-upstream.ts';
import { startZoneVCenter, type ZoneVCenter } from './lifecycle-vcenters.ts';
import { createWriters, writerImage } from './lifecycle-writers.ts';
import { createMatrixPublisher } from './matrix-publisher.ts';
import { type OperatorTestbedOptions, operatorNamespace, startOperatorTestbed } from './operator-testbed.ts';

const fieldManager = 'test';
/** What a release does that is not good: its containers end at once, or run and never become ready. */
interface Breakage {
  readonly role: 'controller' | 'node';
  readonly how: 'crash' | 'hang';
}
const onAbort = (signal: AbortSignal, then: () => void) => signal.addEventListener('abort', then, { once: true });
const uninitialized = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
} as const;

export interface LifecycleOptions {
  /** The first operator's program; `none`: nothing of the operator is in the cluster. Default: that of this repository. */
  readonly operator?: string;
  /** The program of an app in an image. Default: that of this repository. */
  readonly bundle?: OperatorTestbedOptions['bundle'];
  /** What stands in for upstream's pods serves the volumes of the first vCenter. Default: they answer probes and do nothing else. */
  readonly upstreamServes?: boolean;
  /** Of the first vCenter. Default: a free one. */
  readonly vcenterPort?: number;
  /** Made when the first vCenter is there: a provider within Kubernetes has to know it. */
  readonly controlPlane?: (vcenter: ZoneVCenter) => Promise<OperatorTestbedOptions['controlPlane']>;
}

/** One control plane, two vCenters with a node each, the operator and the drivers as processes. Needs root. */
export const startLifecycleTestbed = async (options: LifecycleOptions = {}) => {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const folder = await createTempFolder('zones');
  const common = { clock, random };
  const [a, b] = await Promise.all([
    startZoneVCenter({
      ...common,
      letter: 'a',
      host: '127.0.0.1',
      port: options.vcenterPort,
      folder: folder.file('a'),
    }),
    startZoneVCenter({ ...common, letter: 'b', host: '127.0.0.2', folder: folder.file('b') }),
  ]);
  const zones = new Map([a, b].map((zone) => [zone.node.name, zone]));
  const writers = createWriters(clock);
  const broken = new Map<string, Breakage>();
  /** Whether the images that are not here fail to start. */
  const pretending = { isBroken: false };

  const pretend = createPretender((key) => testbed.kube.get(pods, key), clock);
  const pretendWell: ContainerRunner = async (what, call) => {
    if (pretending.isBroken) throw new Error('this image is broken');
    const serving = new Map<string, () => ContainerRunner>([
      [names.csiController, () => createUpstreamServer({ ...common, kube, zone: a })],
      [names.csiNode, () => createUpstreamNode({ kube, clock })],
    ]).get(what.container.name);
    if (!options.upstreamServes || !serving) return pretend(what, call);
    return runTogether(
      call.signal,
      [pretend, serving()].map((run) => (signal) => run(what, { signal })),
    );
  };
  const idle: ContainerRunner = (_, { signal }) => new Promise((resolve) => onAbort(signal, resolve));
  /** What runs in place of an image that is no program of ours. */
  const standIn = ({ pod, container: { image } }: Parameters<ContainerRunner>[0]): ContainerRunner | undefined => {
    if (image === writerImage) return writers.run;
    // It would say its version: what counts is that its image is there.
    if (pod.metadata.labels?.['app'] === names.imageProbe) return idle;
    return /(^|\/)vdo\/(vdo|node):/.test(image) ? undefined : pretendWell;
  };
  const around =
    (spawn: ContainerRunner): ContainerRunner =>
    async (what, call) => {
      const { pod, container, command } = what;
      const other = standIn(what);
      if (other) return other(what, call);
      const [, breakage] = [...broken].find(([tag]) => container.image.endsWith(`:${tag}`)) ?? [];
      if (breakage?.role === command.args[0] && breakage?.how === 'crash') throw new Error('this release is broken');
      if (breakage?.role === command.args[0]) return idle(what, call);
      const zone = zones.get(pod.spec.nodeName ?? '');
      if (command.app !== 'csi' || command.args[0] !== 'node' || !zone) return spawn(what, call);
      const { sysfsRoot, devRoot } = await zone.machine();
      const args = [...command.args, '--sysfs-root', sysfsRoot, '--dev-root', devRoot];
      return spawn({ ...what, command: { ...command, args } }, call);
    };
  const { bundle } = options;
  const controlPlane = await options.controlPlane?.(a);
  const testbed = await startOperatorTestbed({
    ...(controlPlane ? { controlPlane } : {}),
    audit: true,
    around,
    install: options.operator !== 'none',
    ...(bundle ? { bundle } : {}),
  });
  const { kube } = testbed;
  let operator: LoggedProcess | undefined =
    options.operator === 'none' ? undefined : await testbed.startOperator(options.operator);

  const apply = async (object: AnyObject): Promise<void> => {
    const resource = await kube.resourceFor(object.apiVersion, object.kind);
    await kube.apply(resource, object, { fieldManager, force: true });
  };
  const drivers = (): Promise<VSphereDrivers | undefined> => kube.find(vsphereDrivers, { name: 'cluster' });
  const condition = async (type: string) => (await drivers())?.status?.conditions?.find((one) => one.type === type);
  const tale = async (): Promise<string> => {
    const reported = (await kube.list(events)).items.map(
      ({ involvedObject: { kind, name }, reason, message }) => `${kind} ${name}: ${reason}: ${message}`,
    );
    const status = options.operator === 'none' ? undefined : (await drivers())?.status;
    return [...reported, JSON.stringify(status, undefined, 1), await testbed.driverLogs()].join('\n');
  };
  const until = <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> =>
    waitFor(ask, { what, timeoutMs: 90_000, everyMs: 200, processes: operator ? [operator] : [] }).catch(
      async (error: Error) => {
        throw new Error(`${error.message}\n${await tale()}`, { cause: error });
      },
    ) as Promise<T>;

  const passed = async (): Promise<void> => {
    const sinceMs = Date.now();
    const { kubectl, auditEvents } = testbed.controlPlane;
    await kubectl(['annotate', '--overwrite', 'vspheredrivers', 'cluster', `vdo.vmware.com/run-checks=${sinceMs}`]);
    await until('another pass', async () =>
      (await auditEvents()).some(
        (event) =>
          event.verb === 'list' &&
          event.objectRef?.resource === 'deployments' &&
          event.user.username.endsWith(':vdo-operator') &&
          Date.parse(event.requestReceivedTimestamp ?? '') > sinceMs,
      ),
    );
  };

  const matrix = createMatrixPublisher(apply);

  return {
    a,
    b,
    kube,
    kubectl: testbed.controlPlane.kubectl,
    kubeconfigPath: testbed.controlPlane.kubeconfigPath,
    auditEvents: testbed.controlPlane.auditEvents,
    restartControllers: testbed.controlPlane.restartControllers,
    pretending,
    /** Ends the operator that runs as a process of the test. */
    stopOperator: async (): Promise<void> => {
      await operator?.stop();
      operator = undefined;
    },
    /** Starts the operator of this repository as a process of the test. */
    startOperator: async (): Promise<void> => {
      operator = await testbed.startOperator();
    },
    writers,
    /** Tags of images of which one role does not work. */
    broken,
    apply,
    drivers,
    condition,
    until,
    claim: (name: string, storageClassName: string, storage = '64Mi') =>
      apply({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, namespace: 'default' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
      }),
    becomesReady: () => until('Ready=True', async () => (await condition('Ready'))?.status === 'True'),
    /** Registers the VM as a kubelet does: finished by somebody else, or waiting for the cloud provider. */
    joinNode: async ({ node }: ZoneVCenter, isInitialized: boolean): Promise<void> => {
      const { name, uuid, address } = node;
      const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
      const controlPlane = { 'node-role.kubernetes.io/control-plane': '' };
      const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': name, ...controlPlane };
      await apply({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels, annotations },
        spec: isInitialized ? { providerID: `vsphere://${uuid}` } : {},
      });
      const status: Node['status'] = {
        conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is ready' }],
        ...(isInitialized ? { addresses: [{ type: 'InternalIP', address }] } : {}),
        nodeInfo: { systemUUID: uuid, kubeletVersion: await kube.serverVersion(), operatingSystem: 'linux' },
      };
      await kube.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
      // Admission taints a new node; nobody here would take that off.
      const taints = isInitialized ? null : [uninitialized];
      await kube.patch(nodes, { name }, { type: 'merge', body: { spec: { taints } } });
    },
    putSecret: ({ secret: { name, username, password } }: ZoneVCenter) =>
      apply({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace: operatorNamespace },
        stringData: { username, password },
      }),
    describe: (spec: object) =>
      apply({
        apiVersion: 'vdo.vmware.com/v1beta1',
        kind: 'VSphereDrivers',
        metadata: { name: 'cluster' },
        spec: { distribution: 'Native', csi: {}, ...spec },
      }),
    /** A spec that takes its releases from `publish`. */
    ...matrix,
    /** Follows every status that is written; gives back what Available said meanwhile. */
    followAvailable: async () => {
      const ending = new AbortController();
      const seen = new Set<string>();
      const informer = createInformer({ ...common, client: kube, resource: vsphereDrivers, logger: silentLogger });
      informer.onChange(({ object }) => {
        const { status = '?', reason = '?' } =
          object.status?.conditions?.find(({ type }) => type === 'Available') ?? {};
        seen.add(`${status}/${reason}`);
      });
      const running = informer.run(ending.signal);
      await informer.waitForSync({ signal: ending.signal });
      return async (): Promise<readonly string[]> => {
        ending.abort();
        await running;
        return [...seen];
      };
    },
    /** Until the operator knows how many volumes there are now. */
    recount: async (): Promise<void> => {
      const wish = { metadata: { annotations: { [annotationKeys.runChecks]: String(Date.now()) } } };
      await kube.patch(vsphereDrivers, { name: 'cluster' }, { type: 'merge', body: wish });
      await until('the volumes to be counted', async () => {
        const [found, volumes] = await Promise.all([drivers(), kube.list(persistentVolumes)]);
        const counted = found?.status?.volumes;
        const attachments = (await kube.list(volumeAttachments)).items.length;
        return (counted?.total ?? 0) === volumes.items.length && (counted?.attachments ?? 0) === attachments;
      });
    },
    /** Until the operator has looked at the cluster once more, whether or not it has something to apply. */
    recheck: passed,
    reasons: async (): Promise<readonly string[]> =>
      (await kube.list(events)).items
        .filter(({ involvedObject }) => involvedObject.kind === 'VSphereDrivers')
        .map(({ reason }) => reason ?? ''),
    stop: async (): Promise<void> => {
      await testbed.stop();
      await Promise.all([a, b].map((zone) => zone.stop()));
      await folder.remove();
    },
  };
};

export type LifecycleTestbed = Awaited<ReturnType<typeof startLifecycleTestbed>>;
