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

interface Timed {
  readonly ms: number;
  readonly exitCode: number | null;
  readonly out: string;
}

const time = (args: readonly string[]): Promise<Timed> =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, [...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, VDO_SANDBOX_RECORD: '/nonexistent', KUBECONFIG: '', NODE_OPTIONS: '' },
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
    });
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ ms: performance.now() - startedMs, exitCode, out }));
  });

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

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
    const bare: number[] = [];
    const help: number[] = [];
    // Alternating, so that whatever else the machine does weighs on both alike.
    for (let round = 0; round < rounds; round += 1) {
      bare.push((await time(['-e', '0'])).ms);
      const { ms, exitCode, out } = await time([vdoctl, '--help']);
      expect(exitCode).toBe(0);
      expect(out).toContain('Usage: vdoctl');
      help.push(ms);
    }
    const ratio = median(help) / median(bare);
    lines.push(
      `vdoctl --help: ${median(help).toFixed(0)} ms, node -e 0: ${median(bare).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (medians of ${rounds} alternating runs)`,
    );
    expect(ratio).toBeLessThanOrEqual(2.5);
  });

  test('status of a big cluster', async () => {
    const bare: number[] = [];
    const status: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push((await time(['-e', '0'])).ms);
      const { ms, exitCode, out } = await time([vdoctl, 'status', '-o', 'json', '--kubeconfig', cluster.kubeconfig]);
      expect(exitCode).toBe(3);
      expect(JSON.parse(out)).toMatchObject({ nodes: { total: size.nodes }, volumes: { total: size.volumes } });
      status.push(ms);
    }
    lines.push(
      `vdoctl status: ${median(status).toFixed(0)} ms with ${size.nodes} nodes and ${size.volumes} volumes, ${(median(status) / median(bare)).toFixed(1)} times node -e 0 (median of ${rounds} runs)`,
    );
  });
});
