import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BigCluster, startBigCluster } from './big-cluster.ts';

const size = {
  nodes: Number(process.env['BENCH_NODES'] ?? 1_000),
  volumes: Number(process.env['BENCH_VOLUMES'] ?? 1_000),
};
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);
const vdoctl = fileURLToPath(new URL('../../../apps/vdoctl/bin/vdoctl.mjs', import.meta.url));
const lines: string[] = [];

/** Says at the end how much the process has computed, which hardly depends on what else runs; costs some start-up itself. */
const printCpu = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('cpu ' + (user + system) + ' us'); })",
)}`;

interface Timed {
  readonly ms: number;
  readonly cpuMs: number;
  readonly exitCode: number | null;
  readonly out: string;
}

const time = (args: readonly string[]): Promise<Timed> =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, [...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, VDO_SANDBOX_RECORD: '/nonexistent', KUBECONFIG: '', NODE_OPTIONS: '' },
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
    });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString('utf8');
    });
    child.on('error', reject);
    child.on('close', (exitCode) => {
      const cpuMs = Number(/cpu (\d+) us/.exec(err)?.[1]) / 1000;
      resolve({ ms: performance.now() - startedMs, cpuMs, exitCode, out });
    });
  });

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
const msOf = (runs: readonly Timed[]): number => median(runs.map(({ ms }) => ms));
const cpuOf = (runs: readonly Timed[]): number => median(runs.map(({ cpuMs }) => cpuMs));
const shown = (runs: readonly Timed[]): string => `${msOf(runs).toFixed(0)} ms`;

describe('vdoctl', () => {
  let cluster: BigCluster;
  beforeAll(async () => {
    cluster = await startBigCluster(size);
  });
  afterAll(async () => {
    await cluster?.stop();
    console.log(['', 'bench:vdoctl', ...lines].join('\n'));
  });

  test('start-up against that of Node', async () => {
    const bare: Timed[] = [];
    const help: Timed[] = [];
    // Alternating, so that whatever else the machine does weighs on both alike.
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await time(['-e', '0']));
      const run = await time([vdoctl, '--help']);
      expect(run.exitCode).toBe(0);
      expect(run.out).toContain('Usage: vdoctl');
      help.push(run);
    }
    const ratio = msOf(help) / msOf(bare);
    lines.push(
      `vdoctl --help: ${shown(help)}, node -e 0: ${shown(bare)}, ratio ${ratio.toFixed(2)}; medians of ${rounds} alternating runs`,
    );
    expect(ratio).toBeLessThanOrEqual(2.5);
  });

  test('status of a big cluster', async () => {
    const bare: Timed[] = [];
    const status: Timed[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await time(['-e', '0']));
      const run = await time([
        '--import',
        printCpu,
        vdoctl,
        'status',
        '-o',
        'json',
        '--kubeconfig',
        cluster.kubeconfig,
      ]);
      expect(run.exitCode).toBe(3);
      expect(JSON.parse(run.out)).toMatchObject({ nodes: { total: size.nodes }, volumes: { total: size.volumes } });
      status.push(run);
    }
    lines.push(
      `vdoctl status, ${size.nodes} nodes and ${size.volumes} volumes: ${shown(status)} (${cpuOf(status).toFixed(0)} ms computing), node -e 0: ${shown(bare)}; medians of ${rounds} alternating runs`,
    );
  });
});
