import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { MortalCall } from './mortal-node.ts';
import { callsIn, type SystemCall } from './system-calls.ts';

const run = promisify(execFile);
const program = (folder: string): string => join(folder, 'mortal-node.mjs');
/** What the driver's own process asks of the kernel about files and devices. Reading comes between opening and closing. */
const ownCalls =
  'openat,close,write,fsync,rename,mkdir,rmdir,unlink,readlink,statx,stat,lstat,fstat,newfstatat,getdents64,flock,access,faccessat2';

const bundle = async (): Promise<Uint8Array> => {
  const { outputFiles } = await build({
    entryPoints: [new URL('./mortal-node.ts', import.meta.url).pathname],
    ...{ bundle: true, platform: 'node', format: 'esm', write: false, logLevel: 'silent' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
};
let bundled: Promise<Uint8Array> | undefined;

/** Makes the program that dies; once per house. */
export const buildMortalNode = async (folder: string): Promise<void> => {
  bundled ??= bundle();
  await writeFile(program(folder), await bundled);
};

/** One thread for files: system calls are counted for each thread, and this one makes them all, in the same order every time. */
const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };

/** Runs the call to its end or its death, with strace looking at the thread of the process that does everything with files. */
const runTraced = async (folder: string, call: MortalCall, options: readonly string[]): Promise<string> => {
  const node = spawn(process.execPath, [program(folder), JSON.stringify(call)], { env });
  let output = '';
  node.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  const ended = once(node, 'exit');
  while (!output.includes('\n')) await once(node.stdout, 'data');
  const [, thread = ''] = /^ready (\d+)/.exec(output) ?? [];
  const strace = spawn('strace', ['-y', '-p', thread, '-e', `trace=${ownCalls}`, ...options]);
  const traced = once(strace, 'exit');
  await once(strace.stderr, 'data');
  strace.stderr.resume();
  node.stdin.on('error', () => {});
  node.stdin.end('go\n');
  await Promise.all([ended, traced]);
  return output;
};

/** Lets a call die as it says. False if it came to its end all the same. */
export const callMortally = async (folder: string, call: MortalCall): Promise<boolean> => {
  const inject = `inject=${call.call}:signal=${call.signal}:when=${call.nth}`;
  const output =
    call.when === 'itself'
      ? await runTraced(folder, call, ['-o', '/dev/null', '-e', inject, ...(call.path ? ['-P', call.path] : [])])
      : await run(process.execPath, [program(folder), JSON.stringify(call)], { env }).then(
          ({ stdout }) => stdout,
          () => '',
        );
  return !output.includes('"done":true');
};

/** The system calls of the process itself, and of each program it starts. */
export interface CountedCall {
  readonly own: readonly SystemCall[];
  readonly programs: readonly (readonly SystemCall[])[];
}

/** What a call does of its own if it is let live. */
export const countOwnCalls = async (folder: string, call: MortalCall): Promise<CountedCall['own']> => {
  const scratch = mkdtempSync(join(tmpdir(), 'strace-'));
  try {
    const log = join(scratch, 'log');
    await runTraced(folder, { ...call, dieAt: 0, when: 'itself' }, ['-o', log]);
    return callsIn(readFileSync(log, 'utf8'));
  } finally {
    rmSync(scratch, { recursive: true });
  }
};

/** What the programs do that a call starts. */
export const countPrograms = async (folder: string, call: MortalCall): Promise<CountedCall['programs']> => {
  const args = [program(folder), JSON.stringify({ ...call, dieAt: 0, when: 'count' })];
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: 1 << 26 });
  return (JSON.parse(stdout) as CountedCall).programs;
};
