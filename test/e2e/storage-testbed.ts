import { readFile } from 'node:fs/promises';
import { aborted } from '@vdo/base/async/aborted';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { defaultCsiConfig, noAddressRules } from '@vdo/config/driver-config';
import { createCsiController } from '@vdo/csi/app';
import { parseCli } from '@vdo/csi/cli/parse-cli';
import { createCsiNode } from '@vdo/csi/node/app';
import { runSnapshotControllerApp } from '@vdo/csi/snapshot-controller-app';
import type { KubeClient } from '@vdo/kube/client';
import { nodes, type Pod, pods } from '@vdo/kube/types/core';
import type { AnyObject, KubeObject } from '@vdo/kube/types/object';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import type { ContainerRunner } from '@vdo/sandbox/process-kubelet/container-runner';
import { createProcessKubelet } from '@vdo/sandbox/process-kubelet/process-kubelet';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { parse } from 'yaml';
import { createTempFolder } from '../harness/cleanup.ts';
import { waitFor } from '../harness/wait-for.ts';
import { describeCluster } from './cluster-story.ts';
import { repositoryFile } from './operator-testbed.ts';
import { createStorageDisks } from './storage-disks.ts';
import { makeSysfs } from './vm-sysfs.ts';

const namespace = 'vmware-system-vdo';
const leaseNamespace = 'vmware-system-csi';
const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi', version: '1' };
const nodeName = 'node-1';
const nodeUuid = demoUuid(1);
const kubeletFolder = '/var/lib/kubelet';
const driver = 'csi.vsphere.vmware.com';

const driverPod = (): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'driver', namespace },
  spec: {
    nodeName,
    containers: [
      {
        name: 'driver',
        image: 'vdo',
        command: ['node', '/app/csi.js'],
        args: [
          'node',
          `--node-name=${nodeName}`,
          '--csi-endpoint=unix:///csi/csi.sock',
          '--registration-dir=/registration',
          `--kubelet-registration-path=${kubeletFolder}/plugins/${driver}/csi.sock`,
        ],
        volumeMounts: [
          { name: 'socket', mountPath: '/csi' },
          { name: 'registry', mountPath: '/registration' },
        ],
      },
    ],
    volumes: [
      { name: 'socket', hostPath: { path: `${kubeletFolder}/plugins/${driver}` } },
      { name: 'registry', hostPath: { path: `${kubeletFolder}/plugins_registry` } },
    ],
  },
});

/** The storage driver in all its roles, a simulated vCenter whose disks are real, and a kubelet; the API server is given. Needs root. */
export const startStorageTestbed = async (kube: KubeClient) => {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const folder = await createTempFolder('storage');
  const devRoot = folder.file('dev');
  const sysfsRoot = await makeSysfs(folder.path, nodeUuid);
  const sim = createVSphereSim({ model: demoModel(), clock, random, taskLatencyMs: 150 });
  const disks = createStorageDisks(sim, folder.path, devRoot);
  const common = { clock, random, logger: silentLogger };
  const vcenter = createVCenter({
    ...common,
    metrics: createMetrics(),
    server: 'vc.example.com',
    credentials: async () => account,
    transport: disks.wire(sim.handler),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const command = createCommandRunner(process.env);
  const mounts = new Map<string, string>();

  const run: ContainerRunner = async ({ pod, command: started }, { signal: ending }) => {
    if (started.app !== 'csi') {
      mounts.set(pod.metadata.name ?? '', started.env['VDO_MOUNT_DATA'] ?? '');
      return aborted(ending);
    }
    const cli = parseCli(started.args);
    if (cli.kind !== 'node') throw new Error(`the driver's command line was not taken: ${JSON.stringify(cli)}`);
    const flags = { ...cli.flags, sysfsRoot, devRoot };
    return createCsiNode({ ...flags, run: command, clock, logger: silentLogger, metrics: createMetrics() }).run(ending);
  };

  const apply = async (object: KubeObject): Promise<void> => {
    const resource = await kube.resourceFor(object.apiVersion, object.kind);
    await kube.apply(resource, object, { fieldManager: 'test', force: true });
  };
  const until = <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> =>
    waitFor(ask, { what, timeoutMs: 60_000, everyMs: 200 }).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await describeCluster(kube)}`, { cause: error });
    }) as Promise<T>;

  for (const name of [namespace, leaseNamespace])
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as AnyObject);
  const intents = await readFile(repositoryFile('deploy/crds/vdo.vmware.com_volumeintents.yaml'), 'utf8');
  for (const crd of [...snapshotCrds, parse(intents) as KubeObject]) await apply(crd);
  await until('the snapshot API', () =>
    kube.resourceFor('snapshot.storage.k8s.io/v1', 'VolumeSnapshot').then(
      () => true,
      () => false,
    ),
  );
  await until('the default account', async () => {
    const accounts = await kube.resourceFor('v1', 'ServiceAccount');
    const found = await kube.find(accounts, { namespace, name: 'default' });
    // The embedded API server needs none.
    return found !== undefined || (await kube.serverVersion()).includes('sim');
  });
  await apply({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeName,
      labels: { 'kubernetes.io/hostname': nodeName },
      // As a kubelet registers itself: who attaches must know before the first pod comes.
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: { providerID: `vsphere://${nodeUuid}` },
  } as AnyObject);
  // A real API server taints new nodes until they are ready; nobody here would take it off.
  await kube.patch(nodes, { name: nodeName }, { type: 'merge', body: { spec: { taints: null } } });
  await apply({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: driver },
    spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: 'ReadWriteOnceWithFSType' },
  } as AnyObject);

  const controller = createCsiController({
    ...common,
    metrics: createMetrics(),
    kube,
    vcenters: [vcenter],
    userOf: async () => account.username,
    config: {
      vcenters: [],
      labels: {},
      nodes: { internal: noAddressRules, external: noAddressRules },
      csi: defaultCsiConfig,
    },
    clusterId: 'storage-path',
    namespace,
    leaseNamespace,
    identity: 'controller-1',
    sidecars: 'builtin',
  });
  const kubelet = createProcessKubelet({ ...common, kube, folder: folder.file('k'), run, metrics: createMetrics() });
  const snapshotController = { ...common, metrics: createMetrics(), kube, leaseNamespace, identity: 'snapshots-1' };
  const running = [
    disks.run(signal),
    controller.run(signal),
    runSnapshotControllerApp(snapshotController, signal),
    kubelet.run(signal),
  ];
  await apply(driverPod());

  const mountsBelow = async (): Promise<readonly string[]> =>
    (await readFile('/proc/self/mountinfo', 'utf8'))
      .split('\n')
      .map((line) => line.split(' ')[4] ?? '')
      .filter((path) => path.startsWith(folder.path));

  return {
    sim,
    kube,
    apply,
    until,
    mountsBelow,
    /** Waits until a pod runs; gives where its volume `data` is mounted on this machine. */
    mounted: (name: string) =>
      until(`pod ${name} to be ready`, async () => {
        const pod: Pod | undefined = await kube.find(pods, { namespace: 'default', name });
        const ready = pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
        return ready ? mounts.get(name) : undefined;
      }),
    stop: async () => {
      stopping.abort(new Error('the test is over'));
      await Promise.allSettled(running);
      await vcenter.close();
      const mounter = createMounter(command);
      for (const path of [...(await mountsBelow())].reverse())
        await mounter.unmount(path, { signal: AbortSignal.timeout(10_000) }).catch(() => {});
      await folder.remove();
    },
  };
};
