import { readFile } from 'node:fs/promises';
import { deadline } from '@vdo/base/clock';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import { parseMatrix } from '@vdo/releases/matrix';
import type { CliContext } from '../../cli/context.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { builtInMatrix, type ChosenMatrix, readMatrixInUse } from '../../shared/releases/matrix-in-use.ts';
import type { MatrixSourceFlags } from './commands.ts';

/** Users without a cluster should not have to wait for it. */
const patienceMs = 5_000;

const readFileMatrix = async (file: string): Promise<ChosenMatrix> => {
  try {
    return { matrix: parseMatrix(await readFile(file, 'utf8'), file), source: file, usedBy: 'file', note: '' };
  } catch (error) {
    if (error instanceof VdoError) throw error;
    throw new VdoError({
      code: 'ConfigMissing',
      message: `cannot read the matrix ${file}: ${error instanceof Error ? error.message : String(error)}`,
      remedy:
        'Pass a readable file with --file. Without --file, the matrix of the cluster or the built-in one is used.',
      cause: error,
    });
  }
};

const readClusterMatrix = async (context: CliContext, flags: MatrixSourceFlags): Promise<ChosenMatrix> => {
  const limit = deadline(context.clock, patienceMs, {
    parent: context.signal,
    reason: () => new Error(`no answer within ${patienceMs / 1000} s`),
  });
  try {
    return await withCluster(context, flags, ({ kube, namespace }) =>
      readMatrixInUse(kube, { namespace, signal: limit.signal }),
    );
  } catch (error) {
    context.signal.throwIfAborted();
    return { ...builtInMatrix(), note: `no cluster available: ${toVdoError(error).message}` };
  } finally {
    limit.dispose();
  }
};

/** The matrix selected by the flags: a file, the built-in one, otherwise the one in use in the cluster. */
export const readMatrix = async (context: CliContext, flags: MatrixSourceFlags): Promise<ChosenMatrix> => {
  if (flags.file !== undefined) return readFileMatrix(flags.file);
  return flags.builtIn ? builtInMatrix() : readClusterMatrix(context, flags);
};
