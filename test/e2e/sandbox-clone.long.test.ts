import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sc-'));
const clone = join(folder, 'c');
const scratch = join(folder, 't');

describe('a new user in a clean clone', () => {
  beforeAll(async () => {
    await run('git', ['clone', '--quiet', '--local', '--depth=1', `file://${root}`, clone]);
    // What `npm ci` would put there, without a registry: hard links, so that links between workspaces lead into the clone.
    await run('cp', ['-al', join(root, 'node_modules'), join(clone, 'node_modules')]);
    await run('npm', ['run', '--silent', 'prepare'], { cwd: clone });
    await run('mkdir', [scratch]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('starts the sandbox with npm start and sees pods with their volumes', async () => {
    const env = { ...process.env, TMPDIR: scratch, VDO_SANDBOX_RECORD: join(scratch, 'record'), KUBECONFIG: '' };
    const args = ['start', '--silent', '--', '--once', '--simulate-mounts', '--timeout', '5m'];
    const { stderr, stdout } = await run('npm', args, { cwd: clone, env });
    expect(stdout).toMatch(/^Healthy/m);
    const seconds = Number(/([\d.]+) s {2}StatefulSet diary: 3 of 3 pods ready/.exec(stderr)?.[1]);
    expect(seconds).toBeGreaterThan(0);
    // The promise is 20 s on a machine of its own; what is measured is told, for this one may be busy.
    process.stdout.write(`npm start was up after ${seconds} s\n`);
    expect(readdirSync(scratch)).toEqual([]);
  });
});
