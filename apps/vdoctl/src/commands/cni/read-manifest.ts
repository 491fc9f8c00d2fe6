import { readFile } from 'node:fs/promises';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { cniAgents } from '@vdo/gather/detect-cni';
import { refOf } from '@vdo/kube/apply/object-ref';
import { inApplyOrder } from '@vdo/kube/apply/phases';
import type { AnyObject } from '@vdo/kube/types/object';
import { parseManifest } from '@vdo/releases/parse-manifest';
import type { CliContext } from '../../cli/context.ts';

const textOf = (file: string, { terminal }: Pick<CliContext, 'terminal'>): Promise<string> =>
  file === '-'
    ? terminal.readInput()
    : readFile(file, 'utf8').catch((error: unknown) => {
        throw new VdoError({
          code: 'ConfigMissing',
          message: `cannot read the manifest ${file}: ${error instanceof Error ? error.message : String(error)}`,
          remedy: 'Pass a readable file with --file.',
          cause: error,
        });
      });

/** The objects of the manifest, in apply order. */
export const readManifest = async (
  file: string,
  context: Pick<CliContext, 'terminal'>,
): Promise<readonly AnyObject[]> => {
  const text = await textOf(file, context);
  try {
    return inApplyOrder(parseManifest(text, file === '-' ? 'standard input' : file), refOf);
  } catch (error) {
    if (!isVdoError(error, 'CniManifestInvalid')) throw error;
    const remedy = 'Correct the file, or pass another one with --file. Nothing was changed.';
    throw new VdoError({ code: error.code, message: error.message, remedy, cause: error });
  }
};

/** The pod network that a manifest installs, if VDO knows it. */
export const networkIn = (objects: readonly AnyObject[]): string | undefined => {
  const sets = objects.filter(({ kind }) => kind === 'DaemonSet').map(({ metadata }) => metadata);
  const agent = cniAgents.find(({ namespace, daemonSet }) =>
    sets.some((set) => set.name === daemonSet && set.namespace === namespace),
  );
  return agent?.name;
};
