import { describe, expect, it } from 'vitest';
import { createCommandRunner } from './run-command.ts';

const run = createCommandRunner({ PATH: process.env['PATH'] });
const signal = AbortSignal.timeout(60_000);
const sh = (script: string, options: { readonly limitMs?: number; readonly signal?: AbortSignal } = {}) =>
  run('sh', ['-c', script], { signal, ...options });
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const gone = async (pid: number): Promise<boolean> => {
  for (let tries = 0; tries < 200 && isAlive(pid); tries++) await new Promise((resolve) => setTimeout(resolve, 25));
  return !isAlive(pid);
};

describe('a program', () => {
  it('tells its exit code and what it said, in a fixed language', async () => {
    expect(await sh('echo out; echo err >&2; exit 3')).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
    expect(await sh('printf %s "$LC_ALL"')).toMatchObject({ exitCode: 0, stdout: 'C' });
  });

  it('that ends in time knows no limit', async () => {
    expect(await sh('echo done', { limitMs: 60_000 })).toEqual({ exitCode: 0, stdout: 'done\n', stderr: '' });
  });

  it('beyond its limit is killed with all it started, whatever that ignores', async () => {
    const script = 'trap "" TERM; sh -c \'trap "" TERM; sleep 600 & echo $! $$; wait\'; true';
    const result = await sh(script, { limitMs: 500 });
    expect(result).toMatchObject({ timedOut: true });
    expect(result.exitCode).not.toBe(0);
    const pids = result.stdout.trim().split(' ').map(Number);
    expect(pids).toHaveLength(2);
    for (const pid of pids) expect(await gone(pid)).toBe(true);
  });

  it('that leaves something behind which holds its output is not waited for beyond the limit', async () => {
    const { stdout, timedOut } = await sh('setsid sleep 600 & echo $!', { limitMs: 500 });
    const pid = Number(stdout);
    try {
      expect(timedOut).toBe(true);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });

  it('is ended when nobody waits for it any more', async () => {
    const stop = new AbortController();
    const waiting = sh('sleep 600', { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(sh('true', { signal: stop.signal })).rejects.toThrow('enough');
  });

  it.each([
    ['that is not there', () => run('no-such-program', [], { signal }), /no-such-program could not be run/],
    ['that somebody killed', () => sh('kill -9 $$'), /SIGKILL ended it/],
    ['that says too much', () => sh('yes | head -c 2000000'), /wrote over 1 MiB/],
  ])('%s was not run', async (_what, start, message) => {
    await expect(start()).rejects.toMatchObject({
      code: 'NodeCommandFailed',
      message: expect.stringMatching(message),
    });
  });
});
