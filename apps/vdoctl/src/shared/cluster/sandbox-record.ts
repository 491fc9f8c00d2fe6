import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import type { Environment } from '../../cli/context.ts';

/** The record of a running sandbox, so that vdoctl finds it without flags. */
export interface SandboxRecord {
  readonly pid: number;
  readonly folder: string;
  readonly kubeconfig: string;
  /** Context of the kubeconfig if it is not the sandbox's own file, because its current context may change. */
  readonly context?: string;
  /** The simulated vCenter. Absent if a real one is used: real passwords are never written to a file. */
  readonly vcenter?: {
    readonly url: string;
    readonly username: string;
    readonly password: string;
    /** The administrator account. */
    readonly administrator?: { readonly username: string; readonly password: string };
  };
  /** The endpoint for faults (vdoctl sandbox break and heal), and its token. */
  readonly control?: { readonly url: string; readonly token: string };
  readonly dashboard?: string;
}

/** The name of the sandbox: from `--sandbox` or the environment. Absent: the sandbox without a name. */
export const sandboxNameVariable = 'VDO_SANDBOX';

export const sandboxName = (env: Environment): string | undefined => {
  const name = env[sandboxNameVariable] || undefined;
  // The name becomes part of a file name.
  if (name === undefined || /^[a-z0-9](?:[-a-z0-9]{0,30}[a-z0-9])?$/.test(name)) return name;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `"${name}" is not a valid sandbox name`,
    remedy: 'Use at most 32 lowercase letters, digits and dashes, such as blue.',
  });
};

/** One sandbox per user and name: its record is in a fixed file in the runtime folder. */
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
 * The file is in a folder that others can write to, and it names a kubeconfig, which can name a program to run. So it is
 * trusted only if this user wrote it and nobody else can write it.
 */
export const isOwnFile = (path: string, uid: number = userInfo().uid): boolean => {
  try {
    const found = lstatSync(path);
    return found.isFile() && (uid < 0 || (found.uid === uid && (found.mode & 0o022) === 0));
  } catch {
    return false;
  }
};

/** The named sandbox, if a name is given. Throws if it is not running, so that no other cluster is used by mistake. */
export const namedSandbox = async (env: Environment): Promise<SandboxRecord | undefined> => {
  const name = sandboxName(env);
  if (name === undefined) return undefined;
  const found = await findSandbox(env);
  if (found) return found;
  throw new VdoError({
    code: 'SandboxNotRunning',
    message: `the sandbox ${name} is not running`,
    remedy: `Start it in another terminal and keep it running: vdoctl sandbox --name ${name}`,
  });
};

/** The running sandbox. The record of a process that no longer exists is ignored. */
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
