import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { untar } from '../../shared/archive/untar.ts';
import { readKeys } from '../../shared/releases/read-signed.ts';
import type { BundleVerifyFlags } from './commands.ts';
import { type VerifiedBundle, verifyBundle } from './verify-bundle.ts';

const invalid = (file: string, problems: readonly string[]): VdoError =>
  new VdoError({
    code: 'BundleInvalid',
    message: `${file} is not whole: ${problems.join('; ')}`,
    remedy: 'Apply nothing from it. Copy it again from where it was made, or make it anew: vdoctl bundle create.',
  });

const readArchive = async (file: string): Promise<Buffer> => {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new VdoError({
      code: 'ConfigMissing',
      message: `cannot read the bundle ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: 'Name a file that vdoctl bundle create wrote.',
      cause,
    });
  }
};

const unpack = (file: string, archive: Buffer) => {
  try {
    return untar(archive);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw invalid(file, [cause.message]);
  }
};

const bundleWords = ({ bundleSignature }: VerifiedBundle): string => {
  if (bundleSignature === 'none') return 'Nobody has signed it: damage would have been found, a change on purpose not.';
  if (bundleSignature === 'not checked')
    return 'Its signature was not checked: do so with --trust and the key of whoever made it.';
  return `Signed by key ${bundleSignature.keyId}.`;
};

const signatureWords = ({ signature }: VerifiedBundle): string => {
  if (signature === 'none') return 'without a signature: the operator has it in its image';
  if (signature === 'not checked')
    return 'whose signature was not checked: do so with --trust and the key of its publisher';
  return `signed by key ${signature.keyId}`;
};

/** vdoctl bundle verify FILE */
export const checkBundle: CommandRun<BundleVerifyFlags> = async (context, flags, [file = '']) => {
  const keys = await readKeys(context, flags.trust);
  const verified = verifyBundle(unpack(file, await readArchive(file)), keys);
  const { index, problems, signature, bundleSignature } = verified;
  if (!index || problems.length > 0) throw invalid(file, problems);
  printResult(context, flags.output, {
    data: { file, bundleSignature, signature, ...index },
    lines: () => [
      `Whole  ${file}: ${index.files.length} files, ${index.images.length} ${index.images.length === 1 ? 'image' : 'images'} for ${index.registry}.`,
      bundleWords(verified),
      `${index.releases.map(({ distribution, driver, version }) => `${distribution} ${driver.toUpperCase()} ${version}`).join(', ')} for Kubernetes ${index.kubernetes}.`,
      `Matrix ${index.matrix.serial}, ${signatureWords(verified)}.`,
      '',
      `Next: tar -xf ${file}, and follow its README.md.`,
    ],
  });
  return exitCodes.done;
};
