import { rename, rm, writeFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { CliContext } from '../../cli/context.ts';
import { findSandbox, type SandboxRecord, sandboxRecordPath } from '../../cluster/sandbox-record.ts';

/** Throws SandboxRunning if there is one. */
export const refuseSecond = async ({ env }: Pick<CliContext, 'env'>): Promise<void> => {
  const running = await findSandbox(env);
  if (!running) return;
  throw new VdoError({
    code: 'SandboxRunning',
    message: `a sandbox runs already, as process ${running.pid}${running.dashboard ? `, with its dashboard at ${running.dashboard}` : ''}`,
    remedy: `Use it (vdoctl sandbox status), or end it first: press Ctrl-C where it runs, or kill ${running.pid}.`,
  });
};

/** The running sandbox, or SandboxNotRunning. */
export const requireSandbox = async ({ env }: Pick<CliContext, 'env'>): Promise<SandboxRecord> => {
  const running = await findSandbox(env);
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
    throw new VdoError({
      code: 'SandboxFolderUnusable',
      message: `cannot write ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: 'Name a file that you may write to: VDO_SANDBOX_RECORD=/path/to/file vdoctl sandbox.',
      cause,
    });
  }
};

export const removeRecord = ({ env }: Pick<CliContext, 'env'>): Promise<void> =>
  rm(sandboxRecordPath(env), { force: true });
