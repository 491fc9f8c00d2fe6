import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import type { MortalCall } from './mortal-node.ts';
import { callsIn, type SystemCall } from './system-calls.ts';

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

/** Makes the program that dies; once per test bed. */
export const buildMortalNode = async (folder: string): Promise<void> => {
  bundled ??= bundle();
  await writeFile(program(folder), await bundled);
};

/** One thread for files: system calls are counted for each thread, and this one makes them all, in the same order every time. */
const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };

/** A process that serves one call after another. */
interface MortalNode {
  say(line: string): void;
  /** Its next line; undefined when it is dead. */
  hear(): Promise<string | undefined>;
  /** No more calls: it ends by itself. */
  end(): void;
}

const startNode = (folder: string): MortalNode => {
  const node = spawn(process.execPath, [program(folder)], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(node, 'exit');
  node.stdin.on('error', () => {});
  const lines = createInterface({ input: node.stdout })[Symbol.asyncIterator]();
  return {
    say: (line) => void node.stdin.write(`${line}\n`),
    hear: async () => {
      const { value, done } = await lines.next();
      if (!done) return value;
      // What it had open is closed by then, and its locks are gone.
      await exited;
      return undefined;
    },
    end: () => void node.stdin.end(),
  };
};

/** Those that were told to stop and live: starting a process costs more than what is tried with it. */
const living = new Map<string, MortalNode>();

/** Ends what still waits for calls in a test bed. */
export const dismissMortalNode = (folder: string): void => {
  living.get(folder)?.end();
  living.delete(folder);
};

/** Serves a call to its end or its death, with strace looking at the thread of the process that does everything with files. */
const serveTraced = async (node: MortalNode, options: readonly string[]): Promise<string | undefined> => {
  const [, thread = ''] = /^ready (\d+)/.exec((await node.hear()) ?? '') ?? [];
  const strace = spawn('strace', ['-y', '-p', thread, '-e', `trace=${ownCalls}`, ...options]);
  const ended = once(strace, 'exit');
  await once(strace.stderr, 'data');
  strace.stderr.resume();
  node.say('go');
  const outcome = await node.hear();
  // Of what has died it has let go already.
  strace.kill('SIGTERM');
  await ended;
  return outcome;
};

/** Lets a call die as it says. False if it came to its end all the same. */
export const callMortally = async (folder: string, call: MortalCall): Promise<boolean> => {
  const survives = call.signal === 'SIGTERM';
  const node = (survives ? living.get(folder) : undefined) ?? startNode(folder);
  if (survives) living.set(folder, node);
  node.say(JSON.stringify(call));
  const inject = `inject=${call.call}:signal=${call.signal}:when=${call.nth}`;
  const outcome =
    call.when === 'itself'
      ? await serveTraced(node, ['-o', '/dev/null', '-e', inject, ...(call.path ? ['-P', call.path] : [])])
      : await node.hear();
  if (!survives) node.end();
  if (survives && outcome === undefined) throw new Error('the node role died, though it was only told to stop');
  return !outcome?.includes('"done":true');
};

/** The system calls of the process itself, and of each program it starts. */
export interface CountedCall {
  readonly own: readonly SystemCall[];
  readonly programs: readonly (readonly SystemCall[])[];
}

/** What a call does of its own if it is let live. */
export const countOwnCalls = async (folder: string, call: MortalCall): Promise<CountedCall['own']> => {
  const scratch = mkdtempSync(join(tmpdir(), 'strace-'));
  const node = startNode(folder);
  try {
    const log = join(scratch, 'log');
    node.say(JSON.stringify({ ...call, dieAt: 0, when: 'itself' }));
    await serveTraced(node, ['-o', log]);
    return callsIn(readFileSync(log, 'utf8'));
  } finally {
    node.end();
    rmSync(scratch, { recursive: true });
  }
};

/** What the programs do that a call starts. */
export const countPrograms = async (folder: string, call: MortalCall): Promise<CountedCall['programs']> => {
  const node = startNode(folder);
  node.say(JSON.stringify({ ...call, dieAt: 0, when: 'count' }));
  const outcome = await node.hear();
  node.end();
  return (JSON.parse(outcome ?? '') as CountedCall).programs;
};
