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
    message: `${file} is not a valid bundle: ${problems.join('; ')}`,
    remedy: 'Do not use it. Copy it again from its source, or create a new one: vdoctl bundle create.',
  });

const readArchive = async (file: string): Promise<Buffer> => {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new VdoError({
      code: 'ConfigMissing',
      message: `cannot read the bundle ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: 'Pass a file that vdoctl bundle create wrote.',
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
  if (bundleSignature === 'none') return 'Not signed: damage is ruled out, a deliberate change is not.';
  if (bundleSignature === 'not checked')
    return "Signature not checked. To check it, pass --trust with the creator's public key.";
  return `Signed with key ${bundleSignature.keyId}.`;
};

const signatureWords = ({ signature }: VerifiedBundle): string => {
  if (signature === 'none') return 'not signed: it is the matrix that is built into the operator';
  if (signature === 'not checked') return "signature not checked: pass --trust with the publisher's public key";
  return `signed with key ${signature.keyId}`;
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
      `Valid  ${file}: ${index.files.length} files, ${index.images.length} ${index.images.length === 1 ? 'image' : 'images'} for ${index.registry}.`,
      bundleWords(verified),
      `${index.releases.map(({ distribution, driver, version }) => `${distribution} ${driver.toUpperCase()} ${version}`).join(', ')} for Kubernetes ${index.kubernetes}.`,
      `Matrix ${index.matrix.serial}, ${signatureWords(verified)}.`,
      '',
      `Next: run tar -xf ${file} and follow README.md.`,
    ],
  });
  return exitCodes.done;
};
