import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../harness/wait-for.ts';

export const vdoctlProgram = fileURLToPath(new URL('../../apps/vdoctl/bin/vdoctl.mjs', import.meta.url));
const nobody = 65_534;

/** A sandbox as a process of its own, as a user starts it. */
export interface SandboxProcess {
  readonly pid: number;
  readonly ended: Promise<number | null>;
  /** All it has written. */
  reported(): string;
  kill(signal: NodeJS.Signals): void;
  /** Waits for words of it. */
  says(words: string, timeoutMs?: number): Promise<void>;
}

/** A folder of its own for sandboxes. Short: unix sockets live below it. */
export const sandboxHome = (options: { readonly asNobody?: boolean } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'sb-'));
  chmodSync(folder, 0o755);
  if (options.asNobody) chownSync(folder, nobody, nobody);
  const env = { ...process.env, TMPDIR: folder, VDO_SANDBOX_RECORD: join(folder, 'record.json'), KUBECONFIG: '' };
  const started: (() => Promise<void>)[] = [];
  const drop = ['--reuid', String(nobody), '--regid', String(nobody), '--clear-groups', '--'];
  const start = (args: readonly string[], changes: Readonly<Record<string, string>> = {}): SandboxProcess => {
    const command = [process.execPath, vdoctlProgram, 'sandbox', ...args];
    const [program = '', ...all] = options.asNobody ? ['setpriv', ...drop, ...command] : command;
    const child: ChildProcess = spawn(program, all, { cwd: folder, env: { ...env, ...changes } });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        text += String(chunk);
      });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    started.push(async () => {
      child.kill('SIGINT');
      await ended;
    });
    let isOver = false;
    ended.then(() => {
      isOver = true;
    });
    return {
      pid: child.pid ?? -1,
      ended,
      reported: () => text,
      kill: (signal) => void child.kill(signal),
      says: async (words, timeoutMs = 240_000) => {
        const heard = async () => text.includes(words) || isOver;
        await waitFor(heard, { what: `the words "${words}"`, timeoutMs, everyMs: 20 }).catch((error: Error) => {
          throw new Error(`${error.message}\n${text}`);
        });
        if (!text.includes(words)) throw new Error(`the sandbox ended without the words "${words}"\n${text}`);
      },
    };
  };
  /** Ends what a failed test left running, so that the next one does not fail for it too. */
  const stop = async (): Promise<void> => {
    await Promise.all(started.splice(0).map((end) => end()));
  };
  const clean = async (): Promise<void> => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, env, start, stop, clean };
};

/** The processes whose command line names a folder. */
export const processesOf = (folder: string): readonly { readonly pid: number; readonly command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return command.includes(folder) ? [{ pid: Number(pid), command }] : [];
      } catch {
        return [];
      }
    });

/** What is left of the sandboxes of a folder on this machine. */
export const leftOf = (folder: string) => ({
  files: readdirSync(folder),
  mounts: readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(folder)),
  loopDevices: execFileSync('losetup', ['--all'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder)),
  processes: processesOf(folder).map(({ command }) => command),
});

export const nothingLeft = { files: [], mounts: [], loopDevices: [], processes: [] };
