import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, test } from 'vitest';
import { type CliExit, type Program, type ProgramHost, runProgram } from './run-program.ts';

type Cli = { readonly kind: 'run'; readonly flags: { readonly port: string } } | CliExit;

const createHost = () => {
  const seen = { out: '', err: '', exits: [] as number[] };
  const listeners = new Map<string, () => void>();
  const host: ProgramHost = {
    argv: ['node', 'main.js', '8080'],
    env: { HOME: '/root' },
    stdout: { write: (text) => (seen.out += text) },
    stderr: { write: (text) => (seen.err += text) },
    on: (signal, listener) => listeners.set(signal, listener),
    exit: (code) => seen.exits.push(code),
  };
  return { host, seen, kill: (signal: string) => listeners.get(signal)?.() };
};

const program = (given: Partial<Program<Cli>> = {}): Program<Cli> => ({
  name: 'vsphere-thing',
  parse: ([port = '']) => ({ kind: 'run', flags: { port } }),
  run: async () => {},
  ...given,
});

describe('a program', () => {
  test('gets its arguments and environment, logs to standard error, and exits with 0 at its end', async () => {
    const { host, seen } = createHost();
    const run: Program<Cli>['run'] = async ({ flags }, { env, write }) => write(`${flags.port} ${env['HOME']}\n`);
    await runProgram(host, program({ run }));
    expect(seen).toEqual({ out: '', err: '8080 /root\n', exits: [0] });
  });

  test.each(['SIGTERM', 'SIGINT'])('is asked to end by the first %s, and ended by the second', async (signal) => {
    const { host, seen, kill } = createHost();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let stopping: AbortSignal | undefined;
    const running = runProgram(
      host,
      program({
        run: async (_cli, context) => {
          stopping = context.signal;
          await ended;
        },
      }),
    );
    expect(stopping?.aborted).toBe(false);
    kill(signal);
    expect([stopping?.aborted, seen.exits]).toEqual([true, []]);
    kill(signal);
    expect(seen.exits).toEqual([1]);
    end();
    await running;
  });

  test('reports why it failed and what to do, without secrets', async () => {
    const { host, seen } = createHost();
    const error = new VdoError({
      code: 'ConfigMissing',
      message: 'cannot read https://user:hunter2@vc.example.com/conf',
      remedy: 'Mount it.',
    });
    await runProgram(host, program({ run: () => Promise.reject(error) }));
    expect(seen.exits).toEqual([1]);
    expect(seen.err).toMatch(/^vsphere-thing: ConfigMissing: cannot read .*\n\nMount it\.\n$/);
    expect(seen.err).not.toContain('hunter2');
  });
});

describe('a command line without anything to run', () => {
  test.each([
    ['help is printed to standard output', 0, { out: 'usage\n', err: '' }],
    ['a complaint is printed to standard error', 2, { out: '', err: 'usage\n' }],
  ])('%s', async (_what, code, printed) => {
    const { host, seen } = createHost();
    const run = () => Promise.reject(new Error('must not run'));
    await runProgram(host, program({ parse: () => ({ kind: 'exit', code, text: 'usage\n' }), run }));
    expect(seen).toEqual({ ...printed, exits: [] });
    expect(host.exitCode).toBe(code);
  });
});
