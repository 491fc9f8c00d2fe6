import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ss-'));
const starts = Number(process.env['VDO_SANDBOX_STARTS'] ?? 100);
const vdoctl = join(root, 'apps/vdoctl/bin/vdoctl.mjs');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One start, beside as many others as the machine has processors and one more: always a loaded machine. */
const start = async (index: number) => {
  const own = join(folder, String(index));
  const env = { ...process.env, TMPDIR: folder, VDO_SANDBOX_RECORD: `${own}.json`, KUBECONFIG: '' };
  const args = [vdoctl, 'sandbox', '--once', '--simulate-mounts', '--timeout', '10m'];
  const { code, stdout, stderr } = await run(process.execPath, args, { env, maxBuffer: 64 << 20 }).then(
    (done) => ({ code: 0, ...done }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
  );
  const [, totals = stderr] = /checks: (\d+ passed, \d+ warn, \d+ failed)/.exec(stderr) ?? [];
  const [, events = stderr] = /events: (.*)/.exec(stderr) ?? [];
  const [, word = stdout] = /^(\w+) {2}https/m.exec(stdout) ?? [];
  return { code, word, totals, events };
};

describe(`${starts} starts of the sandbox on a loaded machine`, { timeout: 4 * 3_600_000 }, () => {
  beforeAll(() => run(process.execPath, ['tools/build.mjs'], { cwd: root }), 240_000);

  it('all end Healthy with the same totals and without a warning, and leave nothing', async () => {
    const results: Awaited<ReturnType<typeof start>>[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < starts) results.push(await start(next++));
    };
    await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
    expect(results).toHaveLength(starts);
    const different = new Map<string, number>();
    for (const one of results) different.set(JSON.stringify(one), (different.get(JSON.stringify(one)) ?? 0) + 1);
    console.log([...different].map(([one, count]) => `${count} × ${one}`).join('\n'));
    expect([...different.keys()]).toEqual([
      expect.stringMatching(/"code":0,"word":"Healthy","totals":"\d+ passed, 0 warn, 0 failed","events":"no warnings"/),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
