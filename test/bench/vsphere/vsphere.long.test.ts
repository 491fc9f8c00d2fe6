import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { HttpTransport } from '@vdo/base/http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../../contract/kube/bundle-program.ts';
import { measureInventory, startScaleSim } from '../../contract/vsphere/inventory-scale.ts';
import { createTempFolder, type TempFolder } from '../../harness/cleanup.ts';
import { run } from '../../harness/run.ts';
import { savedReply } from './saved-reply.ts';

const vms = Number(process.env['BENCH_VMS'] ?? 4000);
const nodes = Number(process.env['BENCH_NODES'] ?? 10_000);
/** Rounds in one process, and how often the contenders take turns: a busy machine hurts both alike. */
const rounds = 8;
const turns = 3;

let folder: TempFolder;
const lines: string[] = [];

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const buildGo = async (): Promise<string | undefined> => {
  const binary = folder.file('go-decode');
  try {
    await run('go', ['build', '-o', binary, '.'], { cwd: here('./go-decode'), timeoutMs: 1_200_000 });
  } catch (error) {
    lines.push(`govmomi was not measured, since Go did not build it: ${String(error).split('\n')[0]}`);
  }
  return existsSync(binary) ? binary : undefined;
};

interface Round {
  readonly objects: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

const roundsOf = (output: string): readonly Round[] =>
  [...output.matchAll(/^round (\d+) (\d+) (\d+)$/gm)].map(([, objects, cpu, wall]) => ({
    objects: Number(objects),
    cpuMs: Number(cpu) / 1000,
    wallMs: Number(wall) / 1000,
  }));

const countBytes = (transport: HttpTransport) => {
  let bytes = 0;
  async function* counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  const counting: HttpTransport = async (request) => {
    const response = await transport(request);
    return { ...response, body: counted(response.body) };
  };
  return { transport: counting, bytes: () => bytes };
};

beforeAll(async () => {
  folder = await createTempFolder('bench');
});

afterAll(async () => {
  await folder?.remove();
  console.log(['', 'bench:vsphere', ...lines].join('\n'));
});

describe('benchmarks', () => {
  test('decoding one reply', { timeout: 900_000 }, async () => {
    const reply = folder.file('reply.xml');
    const text = await savedReply(vms);
    await writeFile(reply, text);
    const megabytes = Buffer.byteLength(text) / 1e6;
    lines.push(`reply: RetrievePropertiesEx of ${vms} VMs, ${megabytes.toFixed(1)} MB`);
    const bundle = await bundleProgram(here('./programs/decode-program.ts'), folder.file('decode.mjs'));
    const go = await buildGo();
    const contenders: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
      ['ours', process.execPath, [bundle, reply, String(rounds)]],
      ...(go ? [['govmomi', go, [reply, String(rounds)]] as const] : []),
    ];
    const measured = new Map<string, Round[]>();
    for (let turn = 0; turn < turns; turn++)
      for (const [name, command, args] of contenders) {
        const found = roundsOf(await run(command, args, { timeoutMs: 240_000 }));
        expect(found.map(({ objects }) => objects)).toEqual(Array.from({ length: rounds }, () => vms));
        measured.set(name, [...(measured.get(name) ?? []), ...found]);
      }
    const best = new Map<string, number>();
    for (const [name, all] of measured) {
      const cpuMs = Math.min(...all.map((round) => round.cpuMs));
      const wallMs = Math.min(...all.map((round) => round.wallMs));
      best.set(name, cpuMs);
      lines.push(
        `decode, ${name}: ${cpuMs.toFixed(0)} ms CPU, ${((megabytes * 1000) / cpuMs).toFixed(1)} MB/s; ${wallMs.toFixed(0)} ms wall (best of ${all.length})`,
      );
    }
    const [ours, theirs] = [best.get('ours') ?? 0, best.get('govmomi')];
    if (theirs === undefined) return;
    const middle = (name: string, of: (round: Round) => number): number => {
      const sorted = (measured.get(name) ?? []).map(of).sort((a, b) => a - b);
      return sorted[sorted.length >> 1] ?? 0;
    };
    const ratio = (of: (round: Round) => number) => (middle('govmomi', of) / middle('ours', of)).toFixed(2);
    lines.push(
      `decode, ours against govmomi by CPU time: ${(theirs / ours).toFixed(2)}× of the best rounds, ${ratio(({ cpuMs }) => cpuMs)}× of the medians`,
      `decode, ours against govmomi by wall time: ${ratio(({ wallMs }) => wallMs)}× of the medians`,
    );
  });

  test('resolving and watching nodes', { timeout: 900_000 }, async () => {
    let coldBytes = 0;
    const scale = startScaleSim(nodes, 0);
    const counted = countBytes(scale.transport);
    const target = { ...scale.target, transport: counted.transport };
    const { coldCalls, coldMs, changeMs, reads } = await measureInventory({
      ...scale,
      target,
      changeAll: () => {
        coldBytes = counted.bytes();
        return scale.changeAll();
      },
    });
    lines.push(
      `inventory of ${nodes} nodes, cold: ${coldCalls} calls, ${coldMs.toFixed(0)} ms, ${(coldBytes / 1e6).toFixed(1)} MB read`,
      `then ${nodes} changes: told after ${changeMs.toFixed(0)} ms, ${((counted.bytes() - coldBytes) / 1e6).toFixed(1)} MB, ${reads} reads (the simulated vCenter runs in the same process)`,
    );
    expect(coldCalls).toBeLessThanOrEqual(nodes / 100 + 25);
    expect(reads).toBe(0);
  });
});
