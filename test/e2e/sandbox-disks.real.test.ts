import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const vdoctl = fileURLToPath(new URL('../../apps/vdoctl/bin/vdoctl.mjs', import.meta.url));
// Short: unix sockets live below it.
const folder = mkdtempSync(join(tmpdir(), 'sd-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the sandbox as root', () => {
  it('formats and mounts real disks, and leaves neither mounts nor loop devices behind', async () => {
    const env = { ...process.env, TMPDIR: folder, VDO_SANDBOX_RECORD: join(folder, 'record'), KUBECONFIG: '' };
    const { stderr } = await run(process.execPath, [vdoctl, 'sandbox', '--once'], { cwd: folder, env });
    expect(stderr).toContain('3 of 3 volumes bound; mounts are real (loop devices)');
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(folder);
    expect((await run('losetup', ['--all'])).stdout).not.toContain(folder);
    expect(readdirSync(folder)).toEqual([]);
  });
});
