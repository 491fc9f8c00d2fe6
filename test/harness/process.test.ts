import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { createTempFolder } from './cleanup.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';
import { CommandError, run } from './run.ts';
import { waitFor } from './wait-for.ts';

const node = (script: string): LoggedProcess => spawnLogged(process.execPath, ['--eval', script], { name: 'script' });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('spawnLogged', () => {
  test('keeps the last 500 lines of both outputs and the exit code', async () => {
    const script = node(
      'for (let i = 0; i < 600; i++) console.log("line", i); console.error("sorry"); process.exitCode = 3',
    );
    expect(await script.exited).toBe(3);
    expect(script.exitCode()).toBe(3);
    const lines = script.tail().split('\n');
    expect(lines).toHaveLength(500);
    expect(lines).toContain('line 599');
    expect(lines).toContain('sorry');
  });

  test('a program that does not exist ends with a line that says so', async () => {
    const missing = spawnLogged('/nowhere/program', []);
    expect(await missing.exited).not.toBe(0);
    expect(missing.tail()).toMatch(/nowhere\/program|ENOENT/);
  });

  test('stop ends a process that ignores SIGTERM', async () => {
    const stubborn = node(
      'process.on("SIGTERM", () => console.log("no")); setInterval(() => {}, 1000); console.log("up")',
    );
    await waitFor(() => stubborn.tail().includes('up'), { what: 'the script', processes: [stubborn] });
    await stubborn.stop({ graceMs: 100 });
    expect(stubborn.exitCode()).toBe(-1);
    expect(stubborn.tail()).toContain('no');
    expect(isAlive(stubborn.pid)).toBe(false);
  });

  test.runIf(existsSync('/usr/bin/setpriv'))(
    'a process dies with the test process, even if that is killed',
    async () => {
      const folder = await createTempFolder('orphan');
      const bundle = folder.file('process.mjs');
      const source = fileURLToPath(new URL('./process.ts', import.meta.url));
      await build({ entryPoints: [source], outfile: bundle, bundle: true, platform: 'node', format: 'esm' });
      const script = `const { spawnLogged } = await import(${JSON.stringify(bundle)});
      console.log(spawnLogged('sleep', ['60']).pid); setInterval(() => {}, 1000);`;
      const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = await once(parent.stdout, 'data');
      const pid = Number(String(line));
      expect(isAlive(pid)).toBe(true);
      parent.kill('SIGKILL');
      await waitFor(() => !isAlive(pid), { what: 'the orphan to end', timeoutMs: 30_000 });
      await folder.remove();
    },
  );
});

describe('waitFor', () => {
  test('gives what the attempt gave, after failures', async () => {
    let attempts = 0;
    const attempt = (): string | undefined => {
      attempts += 1;
      if (attempts === 1) throw new Error('not yet');
      return attempts < 3 ? undefined : 'there';
    };
    expect(await waitFor(attempt, { what: 'it', everyMs: 1 })).toBe('there');
  });

  test('names what was missing, the last error and the logs at the timeout', async () => {
    const script = node('console.log("starting up"); setInterval(() => {}, 1000)');
    await waitFor(() => script.tail() !== '', { what: 'output' });
    const never = (): never => {
      throw new Error('connection refused');
    };
    const waiting = waitFor(never, { what: 'an answer', timeoutMs: 50, everyMs: 10, processes: [script] });
    await expect(waiting).rejects.toThrow(
      /waited .* s for an answer; last error: connection refused\n--- script\nstarting up/,
    );
    await script.stop();
  });

  test('gives up as soon as a process has ended', async () => {
    const script = node('console.error("no such flag"); process.exitCode = 2');
    const waiting = waitFor(() => false, { what: 'readiness', timeoutMs: 20_000, processes: [script] });
    await expect(waiting).rejects.toThrow(/script ended with 2 while waiting for readiness\n--- script\nno such flag/);
  });

  test('ends when aborted', async () => {
    const waiting = waitFor(() => false, { what: 'nothing', signal: AbortSignal.timeout(50) });
    await expect(waiting).rejects.toThrow(/abort/i);
  });
});

describe('run', () => {
  test('returns the standard output and passes standard input', async () => {
    expect(await run('cat', [], { stdin: 'hello' })).toBe('hello');
  });

  test('fails with the exit code and the standard error', async () => {
    const failing = run(process.execPath, ['--eval', 'console.error("sorry"); process.exitCode = 4']);
    await expect(failing).rejects.toThrow(/ended with 4\nsorry/);
    await expect(failing).rejects.toBeInstanceOf(CommandError);
    await expect(failing).rejects.toMatchObject({ exitCode: 4, stderr: 'sorry\n' });
  });
});

test('a temporary folder is gone after remove', async () => {
  const folder = await createTempFolder('test');
  expect(existsSync(folder.path)).toBe(true);
  await folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});
