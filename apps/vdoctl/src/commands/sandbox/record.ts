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
    remedy: 'Name a file that you may write to: VDO_SANDBOX_RECORD=/path/to/file vdoctl sandbox.',
    cause,
  });

/** Throws SandboxRunning if there is one. */
export const refuseSecond = async ({ env }: Pick<CliContext, 'env'>): Promise<void> => {
  const running = await findSandbox(env);
  if (!running) return;
  const name = sandboxName(env);
  throw new VdoError({
    code: 'SandboxRunning',
    message: `a sandbox${name === undefined ? '' : ` ${name}`} runs already, as process ${running.pid}${running.dashboard ? `, with its dashboard at ${running.dashboard}` : ''}`,
    remedy: `Use it (vdoctl sandbox status), or end it first: press Ctrl-C where it runs, or kill ${running.pid}. One more beside it needs a name: vdoctl sandbox --name green`,
  });
};

/** Of several sandboxes that start at the same moment, one gets it; the others are told which. */
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
    message: `another sandbox is just starting or stopping, as process ${taken.holder}`,
    remedy: `Use that one as soon as it runs (vdoctl sandbox status), or end it first: press Ctrl-C where it runs, or kill ${taken.holder}.`,
  });
};

/**
 * Removes what a sandbox that was killed has left: its folder, mounts and loop devices. The record lies where others may
 * write too, so it is believed only if it is ours and names a folder of ours that a sandbox could have made.
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
    message: 'no sandbox runs',
    remedy: 'Start one in another terminal, and leave it running: vdoctl sandbox',
  });
};

/** Readable by its owner alone: it holds a password, although of a simulated vCenter. */
export const writeRecord = async ({ env }: Pick<CliContext, 'env'>, record: SandboxRecord): Promise<void> => {
  const path = sandboxRecordPath(env);
  try {
    // Whole or not at all: other commands may read it at any moment.
    const fresh = `${path}.${record.pid}`;
    await rm(fresh, { force: true });
    await writeFile(fresh, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(fresh, path);
  } catch (cause) {
    throw unwritable(path, cause);
  }
};

/** Synchronous: also for a process that exits. */
export const removeRecord = ({ env }: Pick<CliContext, 'env'>): void => rmSync(sandboxRecordPath(env), { force: true });
