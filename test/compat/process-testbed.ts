import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import { serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { runSnapshotControllerApp } from '@vdo/csi/snapshot-controller-app';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import { createKubeClient } from '@vdo/kube/create-client';
import { customResourceDefinitions, leases } from '@vdo/kube/types/cluster';
import { nodes } from '@vdo/kube/types/core';
import { volumeSnapshotClasses } from '@vdo/kube/types/snapshots';
import { csiNodes, storageClasses } from '@vdo/kube/types/storage';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { seedCrds, seedNamespaces } from '@vdo/sim-world/seed';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { createTempFolder } from '../harness/cleanup.ts';
import { startControlPlane } from '../harness/control-plane.ts';
import { writeKubeconfig } from '../harness/kubeconfig.ts';
import { releasedProgram } from '../harness/parts.ts';
import { type LoggedProcess, spawnLogged } from '../harness/process.ts';
import { waitFor } from '../harness/wait-for.ts';

export type Release = 'today' | 'v0.1.0';

const today = fileURLToPath(new URL('../../apps/csi/dist/main.js', import.meta.url));
const programOf = (release: Release): string => (release === 'today' ? today : releasedProgram('vdo-v0.1.0', 'csi'));
const namespace = 'vmware-system-vdo';
export const nodeCount = 5;

/** Stands between the programs and a server. */
type Gate = (
  to: 'kube' | 'vcenter',
  request: Parameters<HttpTransport>[0],
  forward: HttpTransport,
) => ReturnType<HttpTransport>;

interface Cluster {
  readonly kube: KubeClient;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const random = createSystemRandom();
const clock = createSystemClock();
const common = { clock, random, logger: silentLogger };

const simulatedCluster = async (file: string, wire: (handler: HttpTransport) => HttpTransport): Promise<Cluster> => {
  const token = random.uuid();
  const sim = createKubeSim({ ...common, tokens: { [token]: { user: 'admin', groups: ['system:masters'] } } });
  const pair = createSelfSigned({ commonName: 'kube-apiserver', hosts: ['127.0.0.1'], nowMs: clock.now() });
  const server = await serveHttp({ handler: wire(sim.handler), port: 0, tls: { cert: pair.cert, key: pair.key } });
  const ending = new AbortController();
  const running = sim.run(ending.signal);
  return {
    kube: createKubeClient({ transport: sim.handler, clock, qps: 0 }),
    kubeconfig: await writeKubeconfig(file, { url: server.url, caCert: pair.cert, user: { token } }),
    stop: async () => {
      ending.abort();
      await running;
      await server.close();
    },
  };
};

const realCluster = async (): Promise<Cluster> => {
  const plane = await startControlPlane();
  const kube = await connectKube({ kubeconfigPath: plane.kubeconfigPath, env: {}, clock, qps: 0 });
  return {
    kube,
    kubeconfig: plane.kubeconfigPath,
    stop: async () => {
      await kube.close();
      await plane.stop();
    },
  };
};

const seed = async (kube: KubeClient): Promise<void> => {
  await seedNamespaces(kube, namespace);
  if (!(await kube.find(await kube.resourceFor('v1', 'Namespace'), { name: 'default' })))
    await seedNamespaces(kube, 'default');
  await seedCrds(kube, 'vdo.vmware.com_volumeintents.yaml');
  for (const crd of snapshotCrds) await kube.create(customResourceDefinitions, crd);
  await waitFor(() => kube.list(volumeSnapshotClasses).then(() => true), { what: 'the snapshot API' });
  for (let index = 1; index <= nodeCount; index++) {
    const name = `node-${index}`;
    await kube.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      spec: { providerID: `vsphere://${demoUuid(index)}` },
    });
    const drivers = [{ name: 'csi.vsphere.vmware.com', nodeID: demoUuid(index) }];
    await kube.create(csiNodes, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name },
      spec: { drivers },
    });
  }
  for (const reclaimPolicy of ['Delete', 'Retain'] as const)
    await kube.create(storageClasses, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: reclaimPolicy.toLowerCase() },
      provisioner: 'csi.vsphere.vmware.com',
      reclaimPolicy,
      volumeBindingMode: 'Immediate',
    });
  await kube.create(volumeSnapshotClasses, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    metadata: { name: 'snap' },
    driver: 'csi.vsphere.vmware.com',
    deletionPolicy: 'Delete',
  });
};

/** A cluster and a simulated vCenter behind sockets, and CSI controllers of any release as processes. */
export const openProcessTestbed = async (options: {
  readonly cluster: 'simulated' | 'real';
  readonly taskLatencyMs?: number;
}) => {
  const folder = await createTempFolder('compat');
  let gate: Gate = (_to, request, forward) => forward(request);
  const wire =
    (to: 'kube' | 'vcenter', handler: HttpTransport): HttpTransport =>
    (request) =>
      gate(to, request, handler);
  const { taskLatencyMs = 100 } = options;
  const vsphere = createVSphereSim({ model: demoModel(), clock, random, taskLatencyMs });
  const served = await serveVSphereSim({ handler: wire('vcenter', vsphere.handler) }, { clock });
  const cluster =
    options.cluster === 'real'
      ? await realCluster()
      : await simulatedCluster(folder.file('kubeconfig'), (handler) => wire('kube', handler));
  const { kube } = cluster;
  await seed(kube);
  await writeFile(
    folder.file('vsphere.conf'),
    `vcenter:\n  vc:\n    server: 127.0.0.1\n    port: ${served.port}\n    thumbprint: "${served.thumbprints.sha256}"\n` +
      '    user: administrator@vsphere.local\n    password: obviously-fake\n',
  );
  const ending = new AbortController();
  const snapshotController = runSnapshotControllerApp(
    { ...common, metrics: createMetrics(), kube, leaseNamespace: namespace, identity: 'snapshot-controller' },
    ending.signal,
  );
  const started: LoggedProcess[] = [];
  let count = 0;

  const start = (release: Release): LoggedProcess => {
    count += 1;
    const name = `csi-${count}`;
    const controller = spawnLogged(
      process.execPath,
      [
        ...[programOf(release), 'controller', '--kubeconfig', cluster.kubeconfig, '--namespace', namespace],
        ...['--leader-election-namespace', namespace, '--vsphere-conf', folder.file('vsphere.conf')],
        ...['--health-port', '0', '--bind-address', '127.0.0.1', '--cluster-id', 'compat'],
        ...['--csi-endpoint', `unix://${folder.file(`${name}.sock`)}`],
      ],
      { name: `${name} of ${release}` },
    );
    started.push(controller);
    return controller;
  };

  /** What the last programs said last. */
  const logs = () =>
    started
      .slice(-3)
      .map((one) => `--- ${one.name}\n${one.tail(15)}`)
      .join('\n');

  return {
    kube,
    vsphere,
    start,
    through: (next: Gate | undefined) => {
      gate = next ?? ((_to, request, forward) => forward(request));
    },
    /** Whoever held them is dead: nobody has to wait until they run out. */
    freeLeases: async () => {
      for (const { metadata } of (await kube.list(leases, { namespace })).items)
        if (metadata.name !== 'snapshot-controller-leader')
          await kube.delete(leases, { namespace, name: metadata.name ?? '' }).catch(() => {});
    },
    until: <T>(what: string, ask: () => Promise<T>, timeoutMs = 150_000) =>
      waitFor(ask, { what, timeoutMs, everyMs: 100 }).catch((error: Error) => {
        throw new Error(`${error.message}\n${logs()}`, { cause: error });
      }),
    logs,
    close: async () => {
      for (const one of started) one.kill('SIGCONT');
      await Promise.all(started.map((one) => one.stop()));
      ending.abort();
      await snapshotController.catch(() => {});
      await cluster.stop();
      await served.close();
      await folder.remove();
    },
  };
};

export type ProcessTestbed = Awaited<ReturnType<typeof openProcessTestbed>>;
