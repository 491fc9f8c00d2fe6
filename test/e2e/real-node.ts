import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createSystemClock } from '@vdo/base/clock';
import { serveHttp } from '@vdo/base/http-server';
import { createSystemRandom } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import type { KubeObject } from '@vdo/kube/types/object';
import { standardControllers } from '@vdo/sandbox/control-plane/program-args';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { createSelfSigned } from '../harness/certificates.ts';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { type Containerd, startContainerd } from '../harness/containerd.ts';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { startScheduler } from '../harness/kube-scheduler.ts';
import { kubeletRoot, releaseRawDevices, startKubelet } from '../harness/kubelet.ts';
import { type Machine, startMachine } from '../harness/machine.ts';
import type { LoggedProcess } from '../harness/process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { describeCluster } from './cluster-story.ts';
import { createStorageDisks } from './storage-disks.ts';
import { makeSysfs } from './vm-sysfs.ts';

// The first node VM of the demo model.
export const nodeName = 'node-1';
export const nodeUuid = demoUuid(1);
export const nodeIp = '10.10.0.11';
/** Where pods and processes of the node find vCenter; others find it on a port of our loopback. */
export const vcenterAddress = '10.10.0.2';
const kubernetesServiceIp = '10.96.0.1';

/**
 * A cluster of one real node that is a VM of a simulated vCenter: control plane, scheduler, kubelet and containerd, and
 * loop devices for the disks that vCenter attaches. Pods have no network yet. Needs root.
 */
export interface RealNode {
  readonly folder: TempFolder;
  readonly plane: ControlPlane;
  readonly kube: KubeClient;
  readonly machine: Machine;
  readonly containerd: Containerd;
  readonly kubeletRoot: string;
  readonly sim: VSphereSim;
  readonly vcenterPort: number;
  /** Of the certificate of vCenter. */
  readonly thumbprint: string;
  /** Below the folder of the kubelet, which pods of the driver mount: the devices and the sysfs of the VM. */
  readonly devRoot: string;
  readonly sysfsRoot: string;
  /** Further programs that run as long as the node does: they are stopped before it, and no wait outlives them. */
  readonly programs: LoggedProcess[];
  apply(object: KubeObject): Promise<void>;
  until<T>(what: string, ask: () => Promise<T | undefined | false>, timeoutMs?: number): Promise<T>;
  /** Kills the kubelet and starts another. */
  restartKubelet(): Promise<void>;
  stop(): Promise<void>;
}

// The API server calls kubelets and pods, which are on a network of their own.
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

export interface RealNodeOptions {
  /** Controllers of kube-controller-manager beside those that a node and volumes need. */
  readonly controllers?: readonly string[];
}

const nodeControllers = ['node-lifecycle-controller', 'taint-eviction-controller'];

export const startRealNode = async (options: RealNodeOptions = {}): Promise<RealNode> => {
  const clock = createSystemClock();
  const folder = await createTempFolder('real-node');
  const closing: (() => Promise<unknown>)[] = [() => folder.remove()];
  const stop = async (): Promise<void> => {
    const failures: unknown[] = [];
    // What cannot be closed must not keep the rest open.
    for (const close of closing.splice(0).reverse()) await close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `not all could be closed: ${failures.join('; ')}`);
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
    const scheduler = startScheduler(await plane.asUser('system:kube-scheduler'));
    closing.push(() => scheduler.stop());

    const root = kubeletRoot(folder);
    const devRoot = `${root}/vm-dev`;
    const sim = createVSphereSim({ model: demoModel(), clock, random: createSystemRandom(), taskLatencyMs: 50 });
    const place = { machine: undefined as Machine | undefined };
    const disks = createStorageDisks(sim, folder.path, devRoot, {
      get mountInfoPath() {
        return place.machine?.mountInfoPath ?? '/proc/self/mountinfo';
      },
      path: (mounted) => place.machine?.path(mounted) ?? mounted,
    });
    const { cert, key } = await createSelfSigned(folder.path, {
      name: 'vcenter',
      commonName: 'vcenter',
      hosts: [vcenterAddress, '127.0.0.1'],
    });
    const vcenter = await serveHttp({ handler: disks.wire(sim.handler), port: 0, tls: { cert, key } });
    closing.push(() => vcenter.close());
    const following = new AbortController();
    const followed = disks.run(following.signal);
    closing.push(async () => {
      following.abort();
      await followed;
    });

    const apiPort = Number(new URL(plane.url).port);
    const machine = await startMachine({
      ...{ folder, hostName: nodeName, address: `${nodeIp}/24`, uuid: nodeUuid, proxySocket },
      doors: [
        { address: '127.0.0.1', port: apiPort, leadsTo: apiPort },
        { address: kubernetesServiceIp, port: 443, leadsTo: apiPort },
        { address: vcenterAddress, port: 443, leadsTo: vcenter.port },
      ],
    });
    place.machine = machine;
    const sweeping: (() => Promise<void>)[] = [];
    closing.push(async () => {
      await machine.stop();
      for (const sweep of sweeping) await sweep();
    });
    const containerd = await startContainerd(folder, machine);
    sweeping.push(containerd.sweep);

    const caPath = folder.file('ca.crt');
    await writeFile(caPath, plane.caCert);
    const kubeletOptions = {
      ...{ folder, machine, nodeName, nodeIp, caPath },
      kubeconfigPath: await plane.asUser(`system:node:${nodeName}`, ['system:nodes']),
      endpoint: containerd.endpoint,
    };
    let kubelet: LoggedProcess = await startKubelet(kubeletOptions);
    closing.push(async () => {
      await kubelet.stop();
      await releaseRawDevices(folder, machine);
    });
    const programs: LoggedProcess[] = [];
    closing.push(async () => {
      for (const program of [...programs].reverse()) await program.stop();
    });
    const until: RealNode['until'] = <T>(what: string, ask: () => Promise<T | undefined | false>, timeoutMs = 90_000) =>
      waitFor(ask, {
        ...{ what, timeoutMs, everyMs: 200 },
        processes: [...programs, kubelet, machine.gate, containerd.process],
      }).catch(async (error: Error) => {
        throw new Error(`${error.message}\n${await describeCluster(kube)}`, { cause: error });
      }) as Promise<T>;
    return {
      ...{ folder, plane, kube, machine, containerd, kubeletRoot: root, sim, devRoot, programs, until, stop },
      vcenterPort: vcenter.port,
      thumbprint: new X509Certificate(cert).fingerprint256,
      sysfsRoot: await makeSysfs(root, nodeUuid),
      apply: async (object) => {
        const resource = await kube.resourceFor(object.apiVersion, object.kind);
        await kube.apply(resource, object, { fieldManager: 'test', force: true });
      },
      restartKubelet: async () => {
        await kubelet.stop();
        kubelet = await startKubelet(kubeletOptions);
      },
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
};
