import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { aborted } from '@vdo/base/async/aborted';
import { createSystemClock } from '@vdo/base/clock';
import { serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { createKubeClient } from '@vdo/kube/create-client';
import type { AnyObject } from '@vdo/kube/types/object';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { smallRuntime } from '@vdo/releases/render/shared/node-runtime';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { parseAllDocuments } from 'yaml';
import { createTempFolder } from '../../harness/cleanup.ts';
import { type LoggedProcess, spawnLogged } from '../../harness/process.ts';
import { cpuSeconds, peakRssMb, rounded, rssMb } from '../csi/process-cost.ts';
import { beat, modelOf, registerNodes } from './large-cluster.ts';

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
  /** Of one core, while nothing happens but heartbeats. */
  readonly idleCpuPercent: number;
  /** Computing time of one run of all checks. */
  readonly checksCpuSeconds: number;
  /** Both together, as if all checks ran as often as those of the nodes: each quarter of an hour. */
  readonly cpuPercent: number;
  /** At rest, at the end. */
  readonly rssMb: number;
  readonly peakRssMb: number;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const namespace = 'vmware-system-vdo';
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
        await aborted(signal);
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
  return { kube, vcenter, kubeconfig, signal: stopping.signal, stop };
};

const checksEverySeconds = 15 * 60;

/** Has all checks run at once, and tells the computing time until the status shows it. */
const runAllChecks = async (kube: KubeClient, operator: LoggedProcess): Promise<number> => {
  const lastRun = async () => (await kube.get(vsphereDrivers, { name: 'cluster' })).status?.checks?.lastRunTime;
  const before = await lastRun();
  const cpuBefore = cpuSeconds(operator);
  const body = { metadata: { annotations: { 'vdo.vmware.com/run-checks': 'bench' } } };
  await kube.patch(vsphereDrivers, { name: 'cluster' }, { type: 'merge', body });
  for (let waited = 0; (await lastRun()) === before; waited++) {
    if (waited > 1200) throw new Error(`the checks never ran:\n${operator.tail(40)}`);
    await sleep(100);
  }
  // What follows at once, such as collecting the garbage, belongs to it.
  await sleep(5_000);
  return cpuSeconds(operator) - cpuBefore;
};

/** Installs from a minimal resource and watches what a quiet cluster costs. The drivers are stubs, ready at once. */
export const benchOperator = async (options: BenchOptions): Promise<BenchResult> => {
  const { log } = options;
  const { kube, vcenter, kubeconfig, signal, stop } = await startWorld(options);
  let operator: LoggedProcess | undefined;
  try {
    await applyFile(kube, 'deploy/crds/vdo.vmware.com_vspheredrivers.yaml', () => false);
    await applyFile(kube, 'deploy/operator.yaml', ({ kind }) => kind === 'Deployment');
    log(`registering ${options.nodes} nodes`);
    await registerNodes(kube, options.nodes);
    // As the manifest starts it.
    const words = [...smallRuntime.flags, `${root}/apps/operator/dist/main.js`];
    const args = [...words, '--kubeconfig', kubeconfig, '--health-port', '0', '--registry', 'localhost'];
    operator = spawnLogged(process.execPath, args, { name: 'operator', env: smallRuntime.env });
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
    const cpuBefore = cpuSeconds(operator);
    log(`watching ${options.quietSeconds} quiet seconds`);
    await sleep(options.quietSeconds * 1000);
    const idleCpu = cpuSeconds(operator) - cpuBefore;
    const idlePercent = options.quietSeconds > 0 ? (idleCpu / options.quietSeconds) * 100 : 0;
    const checksCpuSeconds = options.quietSeconds > 0 ? await runAllChecks(kube, operator) : 0;
    return {
      nodes: options.nodes,
      secondsToReady: Math.round(secondsToReady * 10) / 10,
      quietSeconds: options.quietSeconds,
      idleCpuPercent: rounded(idlePercent),
      checksCpuSeconds: rounded(checksCpuSeconds),
      cpuPercent: rounded(idlePercent + (checksCpuSeconds / checksEverySeconds) * 100),
      rssMb: rssMb(operator),
      peakRssMb: peakRssMb(operator),
    };
  } finally {
    await operator?.stop();
    await stop();
  }
};
