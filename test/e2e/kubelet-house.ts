import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { createSystemRandom } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import { events, pods } from '@vdo/kube/types/core';
import type { AnyObject, KubeObject } from '@vdo/kube/types/object';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { names } from '@vdo/releases/render/names';
import { csiRuntime, smallRuntime } from '@vdo/releases/render/node-runtime';
import { standardControllers } from '@vdo/sandbox/control-plane/program-args';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { createSelfSigned } from '../harness/certificates.ts';
import { createTempFolder } from '../harness/cleanup.ts';
import { startContainerd } from '../harness/containerd.ts';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { startScheduler } from '../harness/kube-scheduler.ts';
import { type KubeletOptions, kubeletRoot, releaseRawDevices, startKubelet } from '../harness/kubelet.ts';
import { type Machine, startMachine } from '../harness/machine.ts';
import { type LoggedProcess, spawnLogged } from '../harness/process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { repositoryFile } from './operator-house.ts';
import { renderPrograms } from './rendered-programs.ts';
import { createStorageDisks } from './storage-disks.ts';
import { makeSysfs } from './vm-sysfs.ts';

// The first node VM of the demo model.
export const nodeName = 'node-1';
export const nodeUuid = '42120000-0000-4000-8000-000000000001';
export const nodeIp = '10.10.0.11';
const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi' };
const csiBundle = repositoryFile('apps/csi/dist/main.js');
const cpiBundle = repositoryFile('apps/cpi/dist/main.js');

/** A cluster of one real node: control plane, scheduler, kubelet and containerd, and our drivers as programs. Needs root. */
export interface KubeletHouse {
  readonly plane: ControlPlane;
  readonly kube: KubeClient;
  readonly sim: VSphereSim;
  readonly machine: Machine;
  /** Where all its files are. */
  readonly folder: string;
  apply(object: KubeObject): Promise<void>;
  until<T>(what: string, ask: () => Promise<T | undefined | false>, timeoutMs?: number): Promise<T>;
  /** Kills the kubelet and starts another. */
  restartKubelet(): Promise<void>;
  killCsiNode(): Promise<void>;
  startCsiNode(): Promise<void>;
  stop(): Promise<void>;
}

export interface KubeletHouseOptions {
  /** Images beside ours. */
  readonly archives?: readonly Uint8Array[];
  /** Controllers of kube-controller-manager beside those that a node and volumes need. */
  readonly controllers?: readonly string[];
}

const nodeControllers = ['node-lifecycle-controller', 'taint-eviction-controller'];

const egressConfig = (proxySocket: string) => ({
  apiVersion: 'apiserver.k8s.io/v1beta1',
  kind: 'EgressSelectorConfiguration',
  egressSelections: [
    {
      name: 'cluster',
      connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: proxySocket } } },
    },
  ],
});

const serveVCenter = async (folder: string, handler: VSphereSim['handler']) => {
  const { cert, key } = await createSelfSigned(folder, {
    name: 'vcenter',
    commonName: 'vcenter',
    hosts: ['127.0.0.1'],
  });
  const server = await serveHttp({ handler, port: 0, tls: { cert, key } });
  return { server, thumbprint: new X509Certificate(cert).fingerprint256 };
};

export const startKubeletHouse = async (options: KubeletHouseOptions = {}): Promise<KubeletHouse> => {
  const clock = createSystemClock();
  const folder = await createTempFolder('kubelet');
  const closing: (() => Promise<unknown>)[] = [() => folder.remove()];
  const stop = async (): Promise<void> => {
    const failures: unknown[] = [];
    // What cannot be closed must not keep the rest open.
    for (const close of closing.splice(0).reverse()) await close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `not all could be closed: ${failures.join('; ')}`);
  };
  const keep = (process: LoggedProcess): LoggedProcess => {
    closing.push(() => process.stop());
    return process;
  };
  try {
    const proxySocket = folder.file('proxy.sock');
    await writeFile(folder.file('egress.json'), JSON.stringify(egressConfig(proxySocket)));
    const plane = await startControlPlane({
      controllers: [...standardControllers, ...nodeControllers, ...(options.controllers ?? [])],
      apiServerArgs: [
        // As in users' clusters, where a kubelet may touch its own node and the volumes of its own pods only.
        ...['--authorization-mode=Node', '--enable-admission-plugins=NodeRestriction'],
        // As kubeadm sets it: the name of a VM need not be known to the API server's resolver.
        '--kubelet-preferred-address-types=InternalIP',
        `--egress-selector-config-file=${folder.file('egress.json')}`,
      ],
    });
    closing.push(() => plane.stop());
    const kube = await connectKube({ kubeconfigPath: plane.kubeconfigPath, env: {}, clock, qps: 0 });
    closing.push(() => kube.close());
    keep(startScheduler(await plane.asUser('system:kube-scheduler')));
    const caPath = folder.file('ca.crt');
    await writeFile(caPath, plane.caCert);

    const apiPort = Number(new URL(plane.url).port);
    const sweeping: (() => Promise<void>)[] = [];
    const machine = await startMachine({
      folder,
      hostName: nodeName,
      address: `${nodeIp}/24`,
      uuid: nodeUuid,
      doors: [{ address: '127.0.0.1', port: apiPort, leadsTo: apiPort }],
      proxySocket,
    });
    closing.push(async () => {
      await machine.stop();
      for (const sweep of sweeping) await sweep();
    });
    const containerd = await startContainerd(folder, machine);
    sweeping.push(containerd.sweep);
    for (const archive of options.archives ?? []) await containerd.load(archive);
    await containerd.plugNetwork();

    const random = createSystemRandom();
    const sim = createVSphereSim({ model: demoModel(), clock, random, taskLatencyMs: 50 });
    const devRoot = folder.file('dev');
    const disks = createStorageDisks(sim, folder.path, devRoot, machine);
    const vcenter: { server: HttpServer; thumbprint: string } = await serveVCenter(
      folder.path,
      disks.wire(sim.handler),
    );
    closing.push(() => vcenter.server.close());
    const following = new AbortController();
    const followed = disks.run(following.signal);
    // Disks go after the machine that has them mounted: what closes later stands earlier.
    closing.splice(1, 0, async () => {
      following.abort();
      await followed;
    });

    const root = kubeletRoot(folder);
    const programs = await renderPrograms({
      folder: folder.file('config'),
      account,
      kubernetesVersion: 'v1.34.4',
      spec: {
        vcenters: [
          {
            server: '127.0.0.1',
            port: vcenter.server.port,
            credentialsSecret: 'vcenter',
            tls: { thumbprints: [vcenter.thumbprint] },
          },
        ],
        topology: { region: 'k8s-region', zone: 'k8s-zone' },
        csi: {
          clusterId: 'kubelet-house',
          snapshots: { install: true, classes: [{ name: 'snap' }] },
          storageClasses: [
            { name: 'ext4', mountOptions: ['noatime'] },
            { name: 'xfs', fsType: 'xfs' },
          ],
        },
        advanced: { kubeletPath: root },
      },
    });
    const apply: KubeletHouse['apply'] = async (object) => {
      const resource = await kube.resourceFor(object.apiVersion, object.kind);
      await kube.apply(resource, object, { fieldManager: 'test', force: true });
    };
    await plane.kubectl(['apply', '--server-side', '-f', repositoryFile('deploy/crds')]);
    const isDefinition = ({ kind }: AnyObject) => kind === 'CustomResourceDefinition';
    for (const object of programs.objects.filter(isDefinition)) await apply(object);
    await plane.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
    for (const object of programs.objects.filter((one) => !isDefinition(one))) await apply(object);

    const kubeletOptions: KubeletOptions = {
      ...{ folder, machine, nodeName, nodeIp, caPath },
      kubeconfigPath: await plane.asUser(`system:node:${nodeName}`, ['system:nodes']),
      endpoint: containerd.endpoint,
    };
    let kubelet = await startKubelet(kubeletOptions);
    closing.push(async () => {
      await kubelet.stop();
      await releaseRawDevices(folder, machine);
    });
    const accountOf = (name: string) => plane.asServiceAccount(names.namespace, name);
    const health = { 'bind-address': '127.0.0.1', 'health-port': '0' };
    const cpi = keep(
      spawnLogged(
        process.execPath,
        [
          ...[...smallRuntime.flags, cpiBundle],
          ...programs.args(names.cpi, {
            'cloud-config': programs.configPath,
            'bind-address': '127.0.0.1',
            'secure-port': '0',
            kubeconfig: await accountOf(names.cpi),
          }),
        ],
        { name: 'cpi', env: smallRuntime.env },
      ),
    );
    const startCsi = async (workload: string, flags: Readonly<Record<string, string>>) =>
      keep(
        spawnLogged(
          process.execPath,
          [
            ...[...csiRuntime.flags, csiBundle],
            ...programs.args(workload, { ...health, kubeconfig: await accountOf(workload), ...flags }),
          ],
          { name: workload, env: csiRuntime.env },
        ),
      );
    const controller = await startCsi(names.csiController, {
      'csi-endpoint': `unix://${folder.file('controller.sock')}`,
      'vsphere-conf': programs.configPath,
      namespace: names.namespace,
    });
    const snapshots = await startCsi(names.snapshotController, {});
    const pluginSocket = join(root, 'plugins', names.csiDriver, 'csi.sock');
    const nodeArgs = programs.args(names.csiNode, {
      ...health,
      'node-name': nodeName,
      'csi-endpoint': `unix://${pluginSocket}`,
      'registration-dir': join(root, 'plugins_registry'),
      'sysfs-root': await makeSysfs(folder.path, nodeUuid),
      'dev-root': devRoot,
      kubeconfig: await accountOf(names.csiNode),
    });
    const spawnNode = () =>
      machine.spawn(process.execPath, [...csiRuntime.flags, csiBundle, ...nodeArgs], {
        name: names.csiNode,
        env: csiRuntime.env,
      });
    let csiNode: LoggedProcess | undefined = spawnNode();

    const running = () => [
      kubelet,
      ...(csiNode ? [csiNode] : []),
      controller,
      snapshots,
      cpi,
      machine.gate,
      containerd.process,
    ];
    /** What the cluster says of itself, for the message of a test that fails. */
    const story = async (): Promise<string> => {
      const told = (await kube.list(events)).items.map(
        ({ involvedObject: { kind, name }, reason, message, count = 1 }) =>
          `${kind} ${name}: ${reason} (${count}): ${message}`,
      );
      const seen = (await kube.list(pods)).items.map(
        ({ metadata: { name }, spec, status }) => `Pod ${name} on ${spec.nodeName}: ${JSON.stringify(status)}`,
      );
      const attached = (await kube.list(volumeAttachments)).items.map(
        ({ metadata: { name }, status }) => `VolumeAttachment ${name}: ${JSON.stringify(status)}`,
      );
      return [...seen, ...attached, ...told].join('\n');
    };
    return {
      ...{ plane, kube, sim, machine, folder: folder.path, apply, stop },
      until: <T>(what: string, ask: () => Promise<T | undefined | false>, timeoutMs = 60_000) =>
        waitFor(ask, { what, timeoutMs, everyMs: 200, processes: running() }).catch(async (error: Error) => {
          throw new Error(`${error.message}\n${await story()}`, { cause: error });
        }) as Promise<T>,
      restartKubelet: async () => {
        await kubelet.stop();
        kubelet = await startKubelet(kubeletOptions);
      },
      killCsiNode: async () => {
        const killed = csiNode;
        csiNode = undefined;
        await killed?.stop();
      },
      startCsiNode: async () => {
        csiNode = spawnNode();
      },
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
};
