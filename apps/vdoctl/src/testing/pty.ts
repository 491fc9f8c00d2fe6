import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from '../../../../tools/bundle-options.mjs';

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url));
// Python provides what Node lacks: a pseudo terminal for the program.
const bridge = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

/** vdoctl as one bundle in its own folder. */
export const bundleVdoctl = async (): Promise<{ readonly program: string; remove(): Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'vdoctl-bundle-'));
  await build({
    ...bundleOptions,
    entryPoints: [mainFile],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  return { program: join(folder, 'main.mjs'), remove: () => rm(folder, { recursive: true, force: true }) };
};

/** Runs a Node program on a pseudo terminal that a test reads and types on. */
export const startOnTerminal = (program: string, argv: readonly string[], env: Readonly<Record<string, string>>) => {
  const child = spawn('python3', ['-c', bridge, process.execPath, program, ...argv], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm', ...env },
  });
  let shown = '';
  let read = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text.replace(escapes, '');
  });
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  /** The position after the first occurrence; -1 if it is not shown yet. */
  const endOf = (text: string | RegExp): number => {
    if (typeof text === 'string') {
      const at = shown.indexOf(text, read);
      return at < 0 ? -1 : at + text.length;
    }
    const found = text.exec(shown.slice(read));
    return found ? read + found.index + found[0].length : -1;
  };
  const seen = async (text: string | RegExp): Promise<void> => {
    for (let step = 0; step < 800; step++) {
      const end = endOf(text);
      if (end >= 0) {
        read = end;
        return;
      }
      if (child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`never shown: ${text}\nshown since: ${shown.slice(read)}`);
  };
  return {
    /** Waits for a question, then types the answer and Enter. */
    answer: async (question: string | RegExp, line: string): Promise<void> => {
      await seen(question);
      child.stdin.write(`${line}\r`);
    },
    seen,
    /** Keys without Enter. */
    press: (keys: string) => void child.stdin.write(keys),
    shown: () => shown,
    ended,
    stop: async () => {
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
};
