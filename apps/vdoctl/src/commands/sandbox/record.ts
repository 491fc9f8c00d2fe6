import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import { sandboxFolderPrefix } from '@vdo/sandbox/sandbox-folder';
import { sweepFolder } from '@vdo/sandbox/sweep-folder';
import type { CliContext } from '../../cli/context.ts';
import {
  findSandbox,
  isOwnFile,
  isRunning,
  namedSandbox,
  type SandboxRecord,
  sandboxName,
  sandboxRecordPath,
} from '../../shared/cluster/sandbox-record.ts';
import { type HeldLock, takeLock } from './lock.ts';

const unwritable = (path: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'SandboxFolderUnusable',
    message: `cannot write ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
    remedy: 'Choose a writable file: VDO_SANDBOX_RECORD=/path/to/file vdoctl sandbox.',
    cause,
  });

/** Throws SandboxRunning if there is one. */
export const refuseSecond = async ({ env }: Pick<CliContext, 'env'>): Promise<void> => {
  const running = await findSandbox(env);
  if (!running) return;
  const name = sandboxName(env);
  throw new VdoError({
    code: 'SandboxRunning',
    message: `a sandbox${name === undefined ? '' : ` ${name}`} is already running, as process ${running.pid}${running.dashboard ? `, with its dashboard at ${running.dashboard}` : ''}`,
    remedy: `Use it (vdoctl sandbox status), or stop it: press Ctrl-C in its terminal, or run kill ${running.pid}. To run another one at the same time, give it a name: vdoctl sandbox --name green`,
  });
};

/** If several sandboxes start at the same moment, one gets the lock; the others report which one. */
export const lockSandbox = ({ env }: Pick<CliContext, 'env'>, pid: number): HeldLock => {
  const path = `${sandboxRecordPath(env)}.lock`;
  const taken = ((): ReturnType<typeof takeLock> => {
    try {
      return takeLock(path, { pid, isRunning });
    } catch (cause) {
      throw unwritable(path, cause);
    }
  })();
  if (!('holder' in taken)) return taken;
  throw new VdoError({
    code: 'SandboxRunning',
    message: `another sandbox is starting or stopping, as process ${taken.holder}`,
    remedy: `Use it when it is running (vdoctl sandbox status), or stop it: press Ctrl-C in its terminal, or run kill ${taken.holder}.`,
  });
};

/**
 * Removes the folder, mounts and loop devices of a killed sandbox. The record is in a folder that other users can write to,
 * so it is trusted only if we own it and it names a folder of ours that a sandbox could have created.
 */
export const sweepAfterCrash = ({ env }: Pick<CliContext, 'env'>, uid: number): string | undefined => {
  const path = sandboxRecordPath(env);
  try {
    if (!isOwnFile(path, uid)) return undefined;
    const { pid, folder } = JSON.parse(readFileSync(path, 'utf8')) as SandboxRecord;
    const found = lstatSync(folder);
    const isOurs = found.isDirectory() && found.uid === uid && basename(folder).startsWith(sandboxFolderPrefix);
    if (isRunning(pid) || !isOurs) return undefined;
    sweepFolder(folder);
    return folder;
  } catch {
    return undefined;
  }
};

/** The running sandbox, or SandboxNotRunning. */
export const requireSandbox = async ({ env }: Pick<CliContext, 'env'>): Promise<SandboxRecord> => {
  const running = (await namedSandbox(env)) ?? (await findSandbox(env));
  if (running) return running;
  throw new VdoError({
    code: 'SandboxNotRunning',
    message: 'no sandbox is running',
    remedy: 'Start one in another terminal and keep it running: vdoctl sandbox',
  });
};

/** Readable only by its owner: it contains a password, even if only for a simulated vCenter. */
export const writeRecord = async ({ env }: Pick<CliContext, 'env'>, record: SandboxRecord): Promise<void> => {
  const path = sandboxRecordPath(env);
  try {
    // Written atomically: other commands may read it at any moment.
    const fresh = `${path}.${record.pid}`;
    await rm(fresh, { force: true });
    await writeFile(fresh, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(fresh, path);
  } catch (cause) {
    throw unwritable(path, cause);
  }
};

/** Synchronous, so that it also works while the process exits. */
export const removeRecord = ({ env }: Pick<CliContext, 'env'>): void => rmSync(sandboxRecordPath(env), { force: true });
