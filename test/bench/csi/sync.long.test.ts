import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import { serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { createKubeClient } from '@vdo/kube/create-client';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import {
  type Namespace,
  namespaces,
  nodes,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { csiRuntime } from '@vdo/releases/render/shared/node-runtime';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createTempFolder } from '../../harness/cleanup.ts';
import { spawnLogged } from '../../harness/process.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { cpuSeconds, inParallel, peakRssMb, rounded, rssMb } from './process-cost.ts';

// BENCH_SYNC=2000 npm run bench:csi -- sync                            so many volumes instead of 10,000 and 20,000
// BENCH_NODE_FLAGS=--max-semi-space-size=2 npm run bench:csi -- sync    with other flags of the runtime than the manifest's
const { BENCH_SYNC, BENCH_NODE_FLAGS = csiRuntime.flags.join(' ') } = process.env;
const counts = BENCH_SYNC === undefined ? [10_000, 20_000] : [Number(BENCH_SYNC)];
const goals = { p99Ms: 50, rssMbWith10000: 200 };
const bundle = fileURLToPath(new URL('../../../apps/csi/dist/main.js', import.meta.url));
const preload = fileURLToPath(new URL('./programs/event-loop-delay.cjs', import.meta.url));
const intentCrd = new URL('../../../deploy/crds/vdo.vmware.com_volumeintents.yaml', import.meta.url);
const namespace = 'vmware-system-vdo';
const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi', version: '1' };

const driver = 'csi.vsphere.vmware.com';
/** As claims and volumes of a real cluster carry it. */
const claimAnnotations = {
  'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
    kind: 'PersistentVolumeClaim',
    spec: 'x'.repeat(400),
  }),
  'pv.kubernetes.io/bind-completed': 'yes',
  'pv.kubernetes.io/bound-by-controller': 'yes',
  'volume.beta.kubernetes.io/storage-provisioner': driver,
  'volume.kubernetes.io/storage-provisioner': driver,
  'volume.kubernetes.io/selected-node': 'node-1',
};
const volumeAttributes = {
  'storage.kubernetes.io/csiProvisionerIdentity': `1763000000000-1234-${driver}`,
  type: 'vSphere CNS Block Volume',
};

/** Our simulators in this process, filled with volumes that claims are bound to and of which vCenter's view knows nothing yet. */
const openSims = async (count: number) => {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const common = { clock, random, logger: silentLogger, metrics: createMetrics() };
  const sim = createVSphereSim({ model: demoModel(), clock, random });
  const kubeSim = createKubeSim({ clock, random, logger: silentLogger });
  const kube = createKubeClient({ transport: kubeSim.handler, clock, qps: 0 });
  for (const name of [namespace, 'default'])
    await kube.apply<Namespace>(
      namespaces,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      { fieldManager: 'bench', force: true },
    );
  const crd = parse(await readFile(intentCrd, 'utf8')) as CustomResourceDefinition;
  await kube.create(customResourceDefinitions, crd);
  for (const index of [1, 2, 3, 4, 5])
    await kube.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `node-${index}` },
      spec: { providerID: `vsphere://${demoUuid(index)}` },
    });
  const vcenter = createVCenter({
    ...common,
    server: 'vc.example.com',
    credentials: async () => account,
    transport: sim.handler,
  });
  const cluster = { clusterId: 'bench', vSphereUser: account.username, distribution: 'Kubernetes' };
  await inParallel(count, 200, async (index) => {
    const name = `pvc-bench-${index}`;
    const spec = { name, capacityMb: 64n, datastores: [], cluster };
    const { id } = await vcenter.cns.createBlockVolume(spec, { fence: openFence });
    const size = { storage: '64Mi' };
    const claim = await kube.create<PersistentVolumeClaim>(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: `data-${index}`,
        namespace: 'default',
        labels: { app: 'bench' },
        annotations: claimAnnotations,
        finalizers: ['kubernetes.io/pvc-protection'],
      },
      spec: {
        accessModes: ['ReadWriteOnce'],
        volumeName: name,
        storageClassName: 'vsphere',
        resources: { requests: size },
      },
    });
    await kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name,
        annotations: { 'pv.kubernetes.io/provisioned-by': driver },
        finalizers: ['kubernetes.io/pv-protection', 'external-attacher/csi-vsphere-vmware-com'],
      },
      spec: {
        capacity: size,
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'vsphere',
        claimRef: {
          kind: 'PersistentVolumeClaim',
          namespace: 'default',
          name: `data-${index}`,
          uid: claim.metadata.uid ?? '',
        },
        csi: { driver, volumeHandle: id, fsType: 'ext4', volumeAttributes },
      },
    });
  });
  await vcenter.close();
  const [api, served] = await Promise.all([
    serveHttp({ handler: kubeSim.handler, host: '127.0.0.1', port: 0 }),
    serveVSphereSim(sim, { clock }),
  ]);
  return { sim, api, served, close: () => Promise.all([api.close(), served.close()]) };
};

test.each(counts)(
  'a full sync of %i volumes leaves the event loop free, and memory',
  {
    timeout: 3_600_000,
  },
  async (count) => {
    const folder = await createTempFolder('bench-csi-sync');
    const sims = await openSims(count);
    const { sim, api, served } = sims;
    await writeFile(
      folder.file('kubeconfig'),
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'sim', cluster: { server: api.url } }],
        users: [{ name: 'sim', user: {} }],
        contexts: [{ name: 'sim', context: { cluster: 'sim', user: 'sim' } }],
        'current-context': 'sim',
      }),
    );
    await writeFile(
      folder.file('vsphere.conf'),
      `vcenter:\n  vc:\n    server: 127.0.0.1\n    port: ${new URL(served.url).port}\n    thumbprint: "${served.thumbprints.sha256}"\n` +
        `    user: ${account.username}\n    password: ${account.password}\n`,
    );
    const delayFile = folder.file('delay.json');
    const startedMs = performance.now();
    const controller = spawnLogged(
      process.execPath,
      [
        ...BENCH_NODE_FLAGS.split(' ').filter(Boolean),
        ...['--require', preload, bundle, 'controller', '--kubeconfig', folder.file('kubeconfig')],
        ...['--namespace', namespace, '--leader-election-namespace', namespace, '--cluster-id', 'bench'],
        ...['--vsphere-conf', folder.file('vsphere.conf'), '--health-port', '0', '--bind-address', '127.0.0.1'],
        ...['--csi-endpoint', `unix://${folder.file('csi.sock')}`],
      ],
      { name: 'csi', env: { ...csiRuntime.env, EVENT_LOOP_DELAY_FILE: delayFile } },
    );
    try {
      const reported = () =>
        sim.volumes.list().filter(({ metadata }) => (metadata?.entityMetadata.length ?? 0) > 0).length;
      await waitFor(() => reported() >= count || undefined, {
        what: 'vCenter to know all claims',
        timeoutMs: 1_800_000,
        everyMs: 1_000,
        processes: [controller],
      });
      const seconds = rounded((performance.now() - startedMs) / 1000);
      await sleep(5_000);
      const delay = JSON.parse(await readFile(delayFile, 'utf8'));
      const result = {
        volumes: count,
        seconds,
        cpuSeconds: cpuSeconds(controller),
        peakRssMb: peakRssMb(controller),
        rssMb: rssMb(controller),
        delay,
        updates: sim.recorder.count('CnsUpdateVolumeMetadata'),
        goals,
      };
      console.log(JSON.stringify(result, undefined, 1));
      expect(result.updates).toBeLessThan(count / 10);
      if (count <= 10_000) expect(result.rssMb).toBeLessThanOrEqual(goals.rssMbWith10000);
    } finally {
      await controller.stop();
      await sims.close();
      await folder.remove();
    }
  },
);
