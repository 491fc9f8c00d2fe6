import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../tools/ledger.mjs';
import { loopDevicesBelow, mountsBelow } from '../../tools/profiles/run-folder.mjs';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';

const mounts = (folder: string) => mountsBelow(readFileSync('/proc/self/mountinfo', 'utf8'), folder);

describe('npm run profiles', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder('interrupted-profiles');
  });
  afterEach(() => folder.remove());

  const node = (...args: readonly string[]) =>
    spawn('node', args, {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: folder.path, VITEST: undefined, CI: undefined },
    });

  const left = () => [
    ...mounts(folder.path),
    ...loopDevicesBelow(execFileSync('losetup', ['--list', '--json'], { encoding: 'utf8' }), folder.path),
  ];

  /** Until csi-sanity has mounted something. */
  const mounted = () =>
    expect.poll(() => mounts(folder.path).length, { timeout: 120_000, interval: 20 }).toBeGreaterThan(0);

  it('leaves no mount, device or folder when it is interrupted', async () => {
    const run = node('tools/profiles.mjs', 'csi-sanity', '--release', '8.0.3');
    await mounted();
    run.kill('SIGTERM');
    const [code] = await once(run, 'close');
    expect([code, ...left(), ...readdirSync(folder.path)]).toEqual([143]);
  });

  it('removes what one that was killed has left', async () => {
    const killed = node('tools/profiles.mjs', 'csi-sanity', '--release', '8.0.3');
    await mounted();
    killed.kill('SIGKILL');
    await once(killed, 'close');
    expect(readdirSync(folder.path)).toHaveLength(1);
    // As the next one begins, and ends.
    const begin = "import('./tools/profiles/run-folder.mjs').then((own) => own.removeRunFolder(own.createRunFolder()))";
    await once(node('--eval', begin), 'close');
    expect([...left(), ...readdirSync(folder.path)]).toEqual([]);
  });
});
