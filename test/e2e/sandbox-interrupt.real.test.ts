import { rmSync } from 'node:fs';
import { startOnTerminal } from '@vdo/vdoctl/testing/pty';
import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { leftOf, nothingLeft, sandboxHome, vdoctlProgram } from './sandbox-process.ts';

const homes: string[] = [];
const home = (options: { readonly asNobody?: boolean } = {}) => {
  const made = sandboxHome(options);
  homes.push(made.folder);
  return made;
};
afterEach(() => {
  for (const folder of homes.splice(0)) rmSync(folder, { recursive: true, force: true });
});
/** Processes that were killed need a moment to be gone. */
const settled = (folder: string) =>
  waitFor(() => leftOf(folder).processes.length === 0, { what: 'the processes to be gone', timeoutMs: 10_000 });

describe('a sandbox that is not given the time to stop', { timeout: 400_000 }, () => {
  it.each([
    { who: 'root, with real disks', options: {}, mounts: 'mounts are real (loop devices)' },
    { who: 'somebody without rights', options: { asNobody: true }, mounts: 'mounts are simulated' },
  ])('leaves nothing behind after a second Ctrl-C: $who', async ({ options, mounts }) => {
    const { folder, start } = home(options);
    const sandbox = start(['--timeout', '200s']);
    await sandbox.says('The sandbox runs until');
    expect(sandbox.reported()).toContain(mounts);
    expect(leftOf(folder).processes.length).toBeGreaterThan(2);
    sandbox.kill('SIGINT');
    await sandbox.says('Stopping; press Ctrl-C');
    sandbox.kill('SIGINT');
    expect(await sandbox.ended).toBe(130);
    expect(sandbox.reported()).toContain('Stopped at once; nothing is left behind.');
    expect(sandbox.reported()).not.toContain('ok stopped');
    await settled(folder);
    expect(leftOf(folder)).toEqual(nothingLeft);
  });

  it('ends in order when its terminal is closed', async () => {
    const { folder, env } = home();
    const { TMPDIR, VDO_SANDBOX_RECORD } = env;
    const person = startOnTerminal(vdoctlProgram, ['sandbox', '--timeout', '200s'], { TMPDIR, VDO_SANDBOX_RECORD });
    await waitFor(() => person.shown().includes('The sandbox runs until'), { what: 'the sandbox', timeoutMs: 120_000 });
    expect(leftOf(folder).mounts).not.toEqual([]);
    await person.stop();
    await settled(folder);
    await waitFor(() => leftOf(folder).files.length === 0, { what: 'the files to be gone', timeoutMs: 20_000 });
    expect(leftOf(folder)).toEqual(nothingLeft);
  });

  it('is cleaned up by the next one after it was killed', async () => {
    const { folder, start } = home();
    const killed = start(['--timeout', '200s']);
    await killed.says('The sandbox runs until');
    killed.kill('SIGKILL');
    await killed.ended;
    await settled(folder);
    expect(leftOf(folder).mounts).not.toEqual([]);
    const next = start(['--timeout', '200s']);
    await next.says('Removed the leftovers of a killed sandbox in');
    await next.says('vCenter: ');
    next.kill('SIGINT');
    expect([0, 130]).toContain(await next.ended);
    await settled(folder);
    expect(leftOf(folder)).toEqual(nothingLeft);
  });
});

describe('two sandboxes started at the same instant', { timeout: 400_000 }, () => {
  it('are one that runs and one that says so', async () => {
    const { folder, start } = home();
    const both = [start(['--once', '--simulate-mounts']), start(['--once', '--simulate-mounts'])];
    const codes = await Promise.all(both.map(({ ended }) => ended));
    expect([...codes].sort()).toEqual([0, 1]);
    const loser = both[codes.indexOf(1)];
    const winner = both[codes.indexOf(0)];
    expect(loser?.reported()).toMatch(
      new RegExp(`(another sandbox is starting or stopping|a sandbox is already running), as process ${winner?.pid}`),
    );
    expect(leftOf(folder)).toEqual(nothingLeft);
  });
});
