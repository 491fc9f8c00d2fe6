import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { computedMs, type FuzzTarget, fuzz } from './fuzz.ts';
import { networkTargets } from './network-targets.ts';
import { textTargets } from './text-targets.ts';
import { xmlTargets } from './xml-targets.ts';

const texts = [...xmlTargets, ...textTargets()];
const sockets = await networkTargets();
const all = [...texts.map((target) => ({ target, cases: 600 })), ...sockets.map((target) => ({ target, cases: 40 }))];

afterAll(() => Promise.all(all.map(({ target }) => target.close?.())));

describe('what others wrote', () => {
  it.each(all.map(({ target, cases }) => [target.name, target, cases] as const))(
    '%s is read or refused, never a crash and never a long wait',
    async (_name: string, target: FuzzTarget, cases: number) => {
      const { read, refused } = await fuzz(target, { seed: 20_260_101, goesOn: (done) => done < cases });
      // Both must happen, or the mutations test nothing.
      expect(read).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
    },
  );

  it('is read as long as nobody has damaged it', async () => {
    for (const { target } of all)
      for (const seed of target.seeds) expect(await target.read(seed), target.name).toBe(true);
  });

  // Found after 29,200 cases: the library looked up the place of each error from the beginning of the text.
  it.each(['&a [*a, *a]', '*a ', '"', '|\n', '!!binary ', '? ', '? &a ', '{? ', '- ', 'a: '])(
    '%s four thousand times over is refused soon',
    async (piece) => {
      const hostile = [`x: { y: ${piece.repeat(4_000)} }\n`, `x:\n  ${piece.repeat(4_000)}\n`, piece.repeat(4_000)];
      for (const text of hostile.map((line) => Buffer.from(line)))
        for (const target of texts.filter(({ name }) => /YAML|INI|kubeconfig/.test(name))) {
          let costMs = Number.POSITIVE_INFINITY;
          // Tests beside this one are counted too, so the cheapest reading is the true one.
          for (let reading = 0; reading < 3 && costMs >= 1_000; reading += 1) {
            const before = computedMs();
            await target.read(text);
            costMs = Math.min(costMs, computedMs() - before);
          }
          expect(costMs, target.name).toBeLessThan(1_000);
        }
    },
  );

  it('shows a reader that crashes and one that takes long, with what was read', async () => {
    const broken: FuzzTarget = {
      name: 'broken',
      seeds: [Buffer.from('abc')],
      pieces: ['x'],
      read: (bytes) => {
        if (bytes.length > 3) throw new TypeError('no');
        return true;
      },
    };
    const goesOn = (done: number) => done < 100;
    await expect(fuzz(broken, { seed: 1, goesOn })).rejects.toThrow(/^broken, case \d+ of seed 1: \S+$/);
    const slow = {
      ...broken,
      read: () => {
        const spentUntil = computedMs() + 1_100;
        while (computedMs() < spentUntil);
        return true;
      },
    };
    await expect(fuzz(slow, { seed: 1, goesOn })).rejects.toThrow(/^1\d\d\d ms of computing for broken, case 0/);
  });

  it('shows a reader that never comes back, with what was read, and ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fz-'));
    try {
      const module = join(folder, 'watchdog.mjs');
      await build({
        entryPoints: [fileURLToPath(new URL('watchdog.ts', import.meta.url))],
        outfile: module,
        platform: 'node',
        format: 'esm',
      });
      const program = `
        const { startWatchdog } = await import(process.argv[1]);
        const dog = await startWatchdog({ name: 'endless', seed: 7, hangMs: 400, folder: process.argv[2] });
        dog.begin(0, Buffer.from('read'));
        dog.begin(1, Buffer.from('never read'));
        for (;;);`;
      const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program, module, folder], {
        encoding: 'utf8',
        timeout: 50_000,
      });
      const line = `case 1 of seed 7: ${Buffer.from('never read').toString('base64')}\n`;
      expect(ended.signal).toBe('SIGKILL');
      expect(ended.error).toBeUndefined();
      expect(ended.stderr).toMatch(/^HANG: endless did not come back for 400 ms from case 1/);
      expect(ended.stderr.endsWith(line)).toBe(true);
      expect(readFileSync(join(folder, 'hang-endless.txt'), 'utf8')).toBe(ended.stderr);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
