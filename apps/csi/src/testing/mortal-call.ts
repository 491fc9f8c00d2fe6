import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { MortalCall } from './mortal-node.ts';

const run = promisify(execFile);
const program = (folder: string): string => join(folder, 'mortal-node.mjs');
/** What the driver's own process asks of the kernel about files and devices. Reading and writing come between opening and closing. */
const ownCalls =
  'openat,close,fsync,rename,mkdir,rmdir,unlink,readlink,statx,stat,lstat,fstat,newfstatat,getdents64,flock,access,faccessat2';

/** Makes the program that dies; once per house. */
export const buildMortalNode = async (folder: string): Promise<void> => {
  await build({
    entryPoints: [new URL('./mortal-node.ts', import.meta.url).pathname],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile: program(folder), logLevel: 'silent' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
};

/** One thread for files: system calls are counted for each thread, and this one makes them all, in the same order every time. */
const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };

/** Runs the call to its end or its death, with strace looking at the process itself but not at the programs it starts. */
const runTraced = async (folder: string, call: MortalCall, options: readonly string[]): Promise<string> => {
  const node = spawn(process.execPath, [program(folder), JSON.stringify(call)], { env });
  let output = '';
  node.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  const ended = once(node, 'exit');
  await once(node.stdout, 'data');
  const strace = spawn('strace', ['-f', '-b', 'execve', '-p', String(node.pid), '-e', `trace=${ownCalls}`, ...options]);
  const traced = once(strace, 'exit');
  await once(strace.stderr, 'data');
  strace.stderr.resume();
  node.stdin.on('error', () => {});
  node.stdin.end('go\n');
  await Promise.all([ended, traced]);
  return output.replace('ready\n', '');
};

const countIn = (output: string): number =>
  (JSON.parse(output.trim() || '{"count":0}') as { readonly count: number }).count;

/** Lets a call die as it says. False if it came to its end all the same. */
export const callMortally = async (folder: string, call: MortalCall): Promise<boolean> => {
  const inject = `inject=${ownCalls}:signal=${call.signal}:when=${call.nth}`;
  const output =
    call.when === 'itself'
      ? await runTraced(folder, call, ['-o', '/dev/null', '-e', inject])
      : await run(process.execPath, [program(folder), JSON.stringify(call)], { env }).then(
          ({ stdout }) => stdout,
          () => '',
        );
  return !output.includes('"done":true');
};

/** What a call does if it is let live: how many programs it starts, and how many system calls of its own it makes. */
export const countCall = async (
  folder: string,
  call: MortalCall,
): Promise<{ readonly programs: number; readonly own: number }> => {
  const scratch = mkdtempSync(join(tmpdir(), 'strace-'));
  try {
    const log = join(scratch, 'log');
    const output = await runTraced(folder, { ...call, dieAt: 0, when: 'itself' }, ['-o', log]);
    const perThread = new Map<string, number>();
    for (const [, thread = ''] of readFileSync(log, 'utf8').matchAll(/^(\d+) +\w+\(/gm))
      perThread.set(thread, (perThread.get(thread) ?? 0) + 1);
    return { programs: countIn(output), own: Math.max(0, ...perThread.values()) };
  } finally {
    rmSync(scratch, { recursive: true });
  }
};
