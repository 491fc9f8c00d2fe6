import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { createKubeClient } from '@vdo/kube/create-client';
import { nodes } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { csiNodes } from '@vdo/kube/types/storage';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { parseAllDocuments } from 'yaml';
import { createTempFolder } from '../../harness/cleanup.ts';
import { type LoggedProcess, spawnLogged } from '../../harness/process.ts';
import { cpuSeconds, peakRssMb, rssMb } from '../csi/process-cost.ts';

export interface BenchOptions {
  readonly nodes: number;
  /** How long to watch a quiet cluster. */
  readonly quietSeconds: number;
  readonly log: (line: string) => void;
}

export interface BenchResult {
  readonly nodes: number;
  /** From applying the resource to Ready=True. */
  readonly secondsToReady: number;
  readonly quietSeconds: number;
  /** Of one core. */
  readonly cpuPercent: number;
  /** At rest, at the end. */
  readonly rssMb: number;
  readonly peakRssMb: number;
  readonly vcenterCalls: Readonly<Record<string, number>>;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const namespace = 'vmware-system-vdo';
const uuidOf = (index: number): string => `42120000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
const addressOf = (index: number): string => `10.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

const modelOf = (count: number): VSphereModel => {
  const hosts = Array.from({ length: Math.max(3, Math.ceil(count / 50)) }, (_, index) => ({ name: `esx-${index}` }));
  return {
    datacenters: [
      {
        name: 'bench',
        clusters: [{ name: 'compute', hosts }],
        datastores: [{ name: 'vsanDatastore', type: 'vsan', capacityGb: 20_480 }],
        networks: ['Kubernetes'],
        vms: Array.from({ length: count }, (_, index) => ({
          name: `node-${index}`,
          host: `esx-${index % hosts.length}`,
          uuid: uuidOf(index),
          nics: [{ network: 'Kubernetes', ips: [addressOf(index)] }],
          extraConfig: { 'disk.EnableUUID': 'TRUE' },
        })),
      },
    ],
  };
};

const registerNodes = async (kube: KubeClient, count: number): Promise<void> => {
  for (let index = 0; index < count; index++) {
    const name = `node-${index}`;
    await kube.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': name } },
      spec: { providerID: `vsphere://${uuidOf(index)}` },
    });
    const body = {
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: addressOf(index) }],
        nodeInfo: { systemUUID: uuidOf(index), kubeletVersion: 'v1.34.4', operatingSystem: 'linux' },
      },
    };
    await kube.patch(nodes, { name }, { type: 'merge', body }, { subresource: 'status' });
    await kube.create(csiNodes, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name },
      spec: { drivers: [{ name: 'csi.vsphere.vmware.com', nodeID: uuidOf(index), topologyKeys: [] }] },
    });
  }
};

/** Kubelets report their node every five minutes, whether it changed or not. */
const beat = async (kube: KubeClient, count: number, signal: AbortSignal): Promise<void> => {
  const pauseMs = Math.max(10, 300_000 / count);
  for (let index = 0; !signal.aborted; index = (index + 1) % count) {
    const condition = { type: 'Ready', status: 'True', lastHeartbeatTime: new Date().toISOString() };
    const body = { status: { conditions: [condition] } };
    await kube.patch(nodes, { name: `node-${index}` }, { type: 'merge', body }, { subresource: 'status' });
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};

const applyFile = async (kube: KubeClient, path: string, skip: (object: AnyObject) => boolean): Promise<void> => {
  for (const document of parseAllDocuments(await readFile(`${root}/${path}`, 'utf8'))) {
    const object = document.toJS() as AnyObject | null;
    if (!object || skip(object)) continue;
    const resource = await kube.resourceFor(object.apiVersion, object.kind);
    await kube.apply(resource, object, { fieldManager: 'bench', force: true });
  }
};

const startWorld = async (options: BenchOptions) => {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const kubeSim = createKubeSim({
    clock,
    random,
    logger: silentLogger,
    workloadOf:
      () =>
      async (_pod, { ready, signal }) => {
        ready();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      },
  });
  const stopping = new AbortController();
  const running = kubeSim.run(stopping.signal);
  const hosts = ['127.0.0.1', 'localhost'];
  const tls = createSelfSigned({ commonName: 'kube-apiserver', hosts, nowMs: clock.now() });
  const server = await serveHttp({ handler: kubeSim.handler, port: 0, tls });
  const vsphere = createVSphereSim({ model: modelOf(options.nodes), clock, random });
  const vcenter = await serveVSphereSim(vsphere, { clock });
  const kube = createKubeClient({ transport: kubeSim.handler, clock, qps: 0 });
  const folder = await createTempFolder('bench-operator');
  const kubeconfig = folder.file('kubeconfig');
  const cluster = { server: server.url, 'certificate-authority-data': Buffer.from(tls.cert).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('the bench is over'));
    await running;
    await Promise.all([server.close(), vcenter.close()]);
    await folder.remove();
  };
  return { kube, vsphere, vcenter, kubeconfig, signal: stopping.signal, stop };
};

/** Installs from a minimal resource and watches what a quiet cluster costs. The drivers are stubs, ready at once. */
export const benchOperator = async (options: BenchOptions): Promise<BenchResult> => {
  const { log } = options;
  const { kube, vsphere, vcenter, kubeconfig, signal, stop } = await startWorld(options);
  let operator: LoggedProcess | undefined;
  try {
    await applyFile(kube, 'deploy/crds/vdo.vmware.com_vspheredrivers.yaml', () => false);
    await applyFile(kube, 'deploy/operator.yaml', ({ kind }) => kind === 'Deployment');
    log(`registering ${options.nodes} nodes`);
    await registerNodes(kube, options.nodes);
    const args = [`${root}/apps/operator/dist/main.js`, '--kubeconfig', kubeconfig, '--health-port', '0'];
    operator = spawnLogged(process.execPath, args, { name: 'operator' });
    await sleep(3_000);
    const secret = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
    const apply = async (object: AnyObject) => {
      const resource = await kube.resourceFor(object.apiVersion, object.kind);
      await kube.apply(resource, object, { fieldManager: 'bench', force: true });
    };
    const metadata = { name: 'vcenter', namespace };
    await apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: secret });
    log('applying the resource');
    const startedMs = performance.now();
    const { host, port, thumbprints } = vcenter;
    const one = { server: host, port, credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprints.sha256] } };
    const spec = { distribution: 'Native', vcenters: [one], cpi: {}, csi: {} };
    await apply({ apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata: { name: 'cluster' }, spec });
    for (;;) {
      const conditions = (await kube.find(vsphereDrivers, { name: 'cluster' }))?.status?.conditions ?? [];
      if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) break;
      if (operator.exitCode() !== undefined || performance.now() - startedMs > 900_000)
        throw new Error(`never Ready: ${JSON.stringify(conditions, undefined, 1)}\n${operator.tail(40)}`);
      await sleep(100);
    }
    const secondsToReady = (performance.now() - startedMs) / 1000;
    log(`Ready after ${secondsToReady.toFixed(1)} s; settling`);
    void beat(kube, options.nodes, signal);
    await sleep(options.quietSeconds > 0 ? 30_000 : 0);
    const callsBefore = vsphere.recorder.calls().length;
    const cpuBefore = cpuSeconds(operator);
    log(`watching ${options.quietSeconds} quiet seconds`);
    await sleep(options.quietSeconds * 1000);
    const cpu = cpuSeconds(operator) - cpuBefore;
    const calls = vsphere.recorder.calls().slice(callsBefore);
    const counts = new Map<string, number>();
    for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1);
    return {
      nodes: options.nodes,
      secondsToReady: Math.round(secondsToReady * 10) / 10,
      quietSeconds: options.quietSeconds,
      cpuPercent: options.quietSeconds > 0 ? Math.round((cpu / options.quietSeconds) * 10_000) / 100 : 0,
      rssMb: rssMb(operator),
      peakRssMb: peakRssMb(operator),
      vcenterCalls: Object.fromEntries(counts),
    };
  } finally {
    await operator?.stop();
    await stop();
  }
};
