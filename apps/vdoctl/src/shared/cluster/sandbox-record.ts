import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../cli/context.ts';

/** What a running sandbox tells about itself, so that vdoctl finds it without flags. */
export interface SandboxRecord {
  readonly pid: number;
  readonly folder: string;
  readonly kubeconfig: string;
  /** Of that kubeconfig, where it is not the sandbox's own: its current one may change. */
  readonly context?: string;
  /** The simulated one. Absent if the sandbox works with another: passwords that matter are written nowhere. */
  readonly vcenter?: {
    readonly url: string;
    readonly username: string;
    readonly password: string;
    /** Who may do everything there. */
    readonly administrator?: { readonly username: string; readonly password: string };
  };
  /** Where faults are asked for (vdoctl sandbox break and heal), and the token of those who may. */
  readonly control?: { readonly url: string; readonly token: string };
  readonly dashboard?: string;
}

/** One sandbox per user: its record is at a fixed place below the runtime folder. */
export const sandboxRecordPath = (env: Environment): string =>
  env['VDO_SANDBOX_RECORD'] ?? join(env['XDG_RUNTIME_DIR'] ?? tmpdir(), `vdo-sandbox-${userInfo().uid}.json`);

export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * It lies where others may write too, and it names a kubeconfig, which may name a program to run: only what this user wrote,
 * and nobody else can write, is believed.
 */
export const isOwnFile = (path: string, uid: number = userInfo().uid): boolean => {
  try {
    const found = lstatSync(path);
    return found.isFile() && (uid < 0 || (found.uid === uid && (found.mode & 0o022) === 0));
  } catch {
    return false;
  }
};

/** The sandbox that runs now. A record whose process is gone was left by a crash and counts for nothing. */
export const findSandbox = async (env: Environment): Promise<SandboxRecord | undefined> => {
  const path = sandboxRecordPath(env);
  const text = isOwnFile(path) ? await readFile(path, 'utf8').catch(() => undefined) : undefined;
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text) as SandboxRecord;
    return isRunning(record.pid) ? record : undefined;
  } catch {
    return undefined;
  }
};
