import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
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

/** Which of the user's sandboxes is meant: of `--sandbox`, or of who set it for a whole shell. Absent: the one without a name. */
export const sandboxNameVariable = 'VDO_SANDBOX';

export const sandboxName = (env: Environment): string | undefined => {
  const name = env[sandboxNameVariable] || undefined;
  // It becomes part of the name of a file.
  if (name === undefined || /^[a-z0-9](?:[-a-z0-9]{0,30}[a-z0-9])?$/.test(name)) return name;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `"${name}" cannot be the name of a sandbox`,
    remedy: 'Use at most 32 small letters, digits and dashes, such as blue.',
  });
};

/** One sandbox per user and name: its record is at a fixed place below the runtime folder. */
export const sandboxRecordPath = (env: Environment): string => {
  const path =
    env['VDO_SANDBOX_RECORD'] ?? join(env['XDG_RUNTIME_DIR'] || tmpdir(), `vdo-sandbox-${userInfo().uid}.json`);
  const name = sandboxName(env);
  return name === undefined ? path : `${path.replace(/\.json$/, '')}-${name}.json`;
};

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

/** The sandbox that is named, if one is. Throws if it does not run: nothing else may be taken for it. */
export const namedSandbox = async (env: Environment): Promise<SandboxRecord | undefined> => {
  const name = sandboxName(env);
  if (name === undefined) return undefined;
  const found = await findSandbox(env);
  if (found) return found;
  throw new VdoError({
    code: 'SandboxNotRunning',
    message: `no sandbox ${name} runs`,
    remedy: `Start it in another terminal, and leave it running: vdoctl sandbox --name ${name}`,
  });
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
