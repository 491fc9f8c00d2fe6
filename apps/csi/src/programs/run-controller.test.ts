import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, createSystemClock } from '@vdo/base/clock';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runController } from './run-controller.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-controller-'));
});
afterEach(() => rm(folder, { recursive: true }));

const kubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'gone', cluster: { server: 'https://127.0.0.1:9' } }],
  users: [{ name: 'gone', user: { token: 'obviously-fake' } }],
  contexts: [{ name: 'gone', context: { cluster: 'gone', user: 'gone' } }],
  'current-context': 'gone',
};
const config = 'vcenter:\n  vc:\n    server: vc.example.com\n    secretName: vcenter\n    secretNamespace: system\n';

const start = async (vsphereConf: string, clock: Clock = createSystemClock()) => {
  await writeFile(join(folder, 'kubeconfig'), JSON.stringify(kubeconfig));
  await writeFile(join(folder, 'vsphere.conf'), vsphereConf);
  const lines: string[] = [];
  const stopping = new AbortController();
  const running = runController(
    {
      logLevel: 'info',
      bindAddress: '127.0.0.1',
      metricsBindAddress: '127.0.0.1',
      healthPort: 0,
      csiEndpoint: `unix://${join(folder, 'csi.sock')}`,
      vsphereConf: join(folder, 'vsphere.conf'),
      strictConfig: false,
      kubeconfig: join(folder, 'kubeconfig'),
      namespace: 'system',
      leaderElectionNamespace: 'system',
      sidecars: 'builtin',
      workers: 1,
    },
    {
      version: '0.0.0',
      env: {},
      hostname: 'here',
      clock,
      random: createSystemRandom(),
      logger: createLogger({ name: 'csi', write: (line) => void lines.push(line) }),
      metrics: createMetrics(),
    },
    stopping.signal,
  );
  return {
    logged: () => lines.map((line) => JSON.parse(line)),
    stop: async () => {
      stopping.abort();
      await running.catch(() => undefined);
    },
  };
};

it('says what it waits for while the API server cannot be reached, once, in its log and to probes', async () => {
  const { logged, stop } = await start(config);
  await expect.poll(() => logged().some(({ level }) => level === 'warn')).toBe(true);
  const { url } = logged().find(({ msg }) => msg === 'serving health');
  await expect
    .poll(async () => (await fetch(`${url}/readyz`)).text())
    .toContain('the API server https://127.0.0.1:9 cannot be reached');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(logged().filter(({ level }) => level === 'warn')).toHaveLength(1);
  await stop();
});

it('follows a certificate authority that is replaced in its file', async () => {
  const system = createSystemClock();
  const hasty: Clock = { ...system, schedule: (task, delayMs) => system.schedule(task, delayMs / 100) };
  const caFile = join(folder, 'ca.pem');
  const ofDay = (day: number) => createSelfSigned({ commonName: 'vc', hosts: ['vc'], nowMs: day * 86_400_000 }).cert;
  await writeFile(caFile, ofDay(1));
  const { logged, stop } = await start(`${config}    caFile: ${caFile}\n`, hasty);
  await expect.poll(() => logged().some(({ level }) => level === 'warn')).toBe(true);
  expect(logged().map(({ msg }) => msg)).not.toContain('the configuration has changed');
  await writeFile(caFile, ofDay(2));
  await expect.poll(() => logged().map(({ msg }) => msg)).toContain('the configuration has changed');
  await stop();
});
