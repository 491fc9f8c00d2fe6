import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ConnectedKubeClient, connectKube } from '@vdo/kube/connect-kube';
import { nodes } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../../contract/kube/bundle-program.ts';
import { clock } from '../../contract/kube/kube-target.ts';
import { createTempFolder, type TempFolder } from '../../harness/cleanup.ts';
import { type ControlPlane, startControlPlane } from '../../harness/control-plane.ts';
import { type LoggedProcess, spawnLogged } from '../../harness/process.ts';
import { run } from '../../harness/run.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { sampleNode } from './sample-node.ts';

const nodeCount = Number(process.env['BENCH_NODES'] ?? 10_000);
const updateCount = Number(process.env['BENCH_UPDATES'] ?? 10_000);
const rounds = 3;

interface Contender {
  readonly name: string;
  start(): LoggedProcess;
}

let plane: ControlPlane;
let client: ConnectedKubeClient;
let folder: TempFolder;
let contenders: readonly Contender[] = [];
const lines: string[] = [];

const inParallel = async (count: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
};

const program = (name: string): string => fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url));

const buildGo = async (): Promise<string | undefined> => {
  const source = fileURLToPath(new URL('./go-informer', import.meta.url));
  const binary = folder.file('go-informer');
  try {
    await run('go', ['build', '-o', binary, '.'], { cwd: source, timeoutMs: 1_200_000 });
  } catch (error) {
    lines.push(`client-go was not measured, since Go did not build it: ${String(error).split('\n')[0]}`);
  }
  return existsSync(binary) ? binary : undefined;
};

beforeAll(async () => {
  folder = await createTempFolder('bench');
  const bundle = await bundleProgram(program('informer-program'), folder.file('informer.mjs'));
  const go = await buildGo();
  plane = await startControlPlane({
    controllers: [],
    apiServerArgs: [
      '--max-requests-inflight=0',
      '--max-mutating-requests-inflight=0',
      '--enable-priority-and-fairness=false',
    ],
  });
  client = await connectKube({ kubeconfigPath: plane.kubeconfigPath, env: {}, clock, qps: 0, timeoutMs: 120_000 });
  const startedMs = performance.now();
  await inParallel(nodeCount, (index) => client.create(nodes, sampleNode(index)));
  lines.push(`created ${nodeCount} nodes in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  const args = [plane.kubeconfigPath, String(updateCount)];
  contenders = [
    { name: 'ours', start: () => spawnLogged('node', [bundle, ...args], { name: 'ours' }) },
    ...(go
      ? [
          { name: 'client-go, JSON', start: () => spawnLogged(go, [...args, 'json'], { name: 'client-go json' }) },
          { name: 'client-go, protobuf', start: () => spawnLogged(go, args, { name: 'client-go' }) },
        ]
      : []),
  ];
}, 1_800_000);

afterAll(async () => {
  await client?.close();
  await plane?.stop();
  await folder?.remove();
  console.log(['', 'bench:kube', ...lines].join('\n'));
});

const reported = async (process: LoggedProcess, what: string): Promise<readonly number[]> => {
  const line = () => process.tail().match(new RegExp(`^${what} (.*)$`, 'm'))?.[1];
  const found = await waitFor(line, {
    what: `${process.name} to say ${what}`,
    timeoutMs: 300_000,
    everyMs: 20,
    processes: [process],
  });
  return found.split(' ').map(Number);
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe('benchmarks', () => {
  test('sync time and memory of an informer', { timeout: 900_000 }, async () => {
    const results = new Map(contenders.map(({ name }) => [name, { syncMs: [] as number[], rssMb: [] as number[] }]));
    for (let round = 0; round < rounds; round++)
      for (const { name, start } of contenders) {
        const process = start();
        const [count, syncMs = 0] = await reported(process, 'synced');
        const [rssKb = 0] = await reported(process, 'rss');
        await process.stop();
        expect(count).toBe(nodeCount);
        results.get(name)?.syncMs.push(syncMs);
        results.get(name)?.rssMb.push(rssKb / 1024);
      }
    for (const [name, { syncMs, rssMb }] of results)
      lines.push(
        `informer of ${nodeCount} nodes, ${name}: synced ${median(syncMs)} ms after the start of the process, ${median(rssMb).toFixed(0)} MB resident (median of ${rounds})`,
      );
  });

  test('events from writer to listener', { timeout: 900_000 }, async () => {
    for (const { name, start } of contenders) {
      const process = start();
      await reported(process, 'rss');
      const startedMs = performance.now();
      await inParallel(updateCount, (index) => {
        const body = { metadata: { annotations: { 'bench.test/count': `${name}-${index}` } } };
        return client.patch(
          nodes,
          { name: sampleNode(index % nodeCount).metadata.name ?? '' },
          { type: 'merge', body },
        );
      });
      const writeMs = performance.now() - startedMs;
      const [count, readMs = 1] = await reported(process, 'updates');
      await process.stop();
      expect(count).toBe(updateCount);
      lines.push(
        `events, ${name}: ${updateCount} heard in ${readMs} ms (${Math.round((updateCount * 1000) / readMs)}/s) while the writer took ${Math.round(writeMs)} ms`,
      );
    }
  });

  test('an empty controller', { timeout: 300_000 }, async () => {
    const bundle = await bundleProgram(program('empty-controller-program'), folder.file('empty.mjs'));
    const readyMs: number[] = [];
    const rssMb: number[] = [];
    for (let round = 0; round < 5; round++) {
      const process = spawnLogged('node', [bundle, plane.kubeconfigPath], { name: 'empty controller' });
      const [ms = 0, kb = 0] = await reported(process, 'ready');
      readyMs.push(ms);
      rssMb.push(kb / 1024);
      await process.stop();
    }
    lines.push(
      `empty controller: leads and is synced after ${median(readyMs)} ms, ${median(rssMb).toFixed(0)} MB resident (median of 5)`,
    );
  });
});
