import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../tools/matrix.mjs', import.meta.url));
let folder: string;
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env } };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
const text = (file: string) => readFile(join(folder, file), 'utf8');

describe('tools/matrix.mjs', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vdo-matrix-'));
    expect(await run(['keygen', '--out', 'one'])).toMatchObject({ code: 0 });
    expect(await run(['keygen', '--out', 'two'])).toMatchObject({ code: 0 });
    expect(await run(['build', '--serial', '7', '--out', 'm.json', '--published', '2026-11-15'])).toMatchObject({
      code: 0,
    });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('makes a key that only its owner reads, and never replaces one', async () => {
    expect((await stat(join(folder, 'one.private.pem'))).mode & 0o777).toBe(0o600);
    expect(await text('one.public.pem')).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    expect(await run(['keygen', '--out', 'one'])).toMatchObject({ code: 2, output: expect.stringContaining('exists') });
  });

  it('builds from the embedded matrix with serial and date', async () => {
    const matrix = JSON.parse(await text('m.json'));
    expect(matrix).toMatchObject({ schemaVersion: 1, serial: 7, published: '2026-11-15' });
    expect(matrix.releases.length).toBeGreaterThan(30);
  });

  it('refuses a serial that does not grow, and a draft with mistakes', async () => {
    const again = await run(['build', '--serial', '7', '--previous', 'm.json', '--out', 'n.json']);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('the serial cannot decrease') });
    expect(await run(['build', '--serial', '8', '--previous', 'm.json', '--out', 'n.json'])).toMatchObject({ code: 0 });
    await writeFile(join(folder, 'bad.json'), JSON.stringify({ schemaVersion: 1, releases: [{ version: 'latest' }] }));
    const bad = await run(['build', '--serial', '9', '--from', 'bad.json', '--out', 'o.json']);
    expect(bad).toMatchObject({ code: 1, output: expect.stringContaining('releases.0.version') });
  });

  it('signs with keys from files, and tells which one verified', async () => {
    expect(await run(['sign', 'm.json', '--key', 'one.private.pem', '--key', 'two.private.pem'])).toMatchObject({
      code: 0,
    });
    const good = await run(['verify', 'm.json', '--trust', 'two.public.pem']);
    expect(good).toMatchObject({
      code: 0,
      output: expect.stringMatching(/m\.json is good: serial 7, .* signed by [0-9a-f]{16}/),
    });
  });

  it('signs with a key from the environment', async () => {
    const key = await text('one.private.pem');
    expect(await run(['sign', 'n.json'], { VDO_MATRIX_PRIVATE_KEY: key })).toMatchObject({ code: 0 });
    expect(await run(['verify', 'n.json', '--trust', 'one.public.pem'])).toMatchObject({ code: 0 });
    expect(await run(['verify', 'n.json', '--trust', 'two.public.pem'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('trusted keys:'),
    });
    expect(await run(['sign', 'n.json'])).toMatchObject({
      code: 2,
      output: expect.stringContaining('VDO_MATRIX_PRIVATE_KEY'),
    });
  });

  it('finds a matrix that was changed after it was signed', async () => {
    await writeFile(join(folder, 'n.json'), (await text('n.json')).replace('"serial": 8', '"serial": 9'));
    const changed = await run(['verify', 'n.json', '--trust', 'one.public.pem']);
    expect(changed).toMatchObject({ code: 1, output: expect.stringContaining('does not match the document') });
  });

  it('explains itself', async () => {
    expect(await run([])).toMatchObject({ code: 2, output: expect.stringContaining('usage:') });
    expect(await run(['sign', 'missing.json', '--key', 'one.private.pem'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('missing.json'),
    });
  });
});
