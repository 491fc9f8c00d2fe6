import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { untar } from '../../shared/archive/untar.ts';
import { readKeys } from '../../shared/releases/read-signed.ts';
import { layoutIndexPath } from './carried-images.ts';
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

/** A bundle with all its files, once it is known to be valid. */
export const readValidBundle = async (context: CliContext, file: string, trust: readonly string[]) => {
  const keys = await readKeys(context, trust);
  const entries = unpack(file, await readArchive(file));
  const verified = verifyBundle(entries, keys);
  const { index, problems } = verified;
  if (!index || problems.length > 0) throw invalid(file, problems);
  return { verified, index, entries };
};

/** vdoctl bundle verify FILE */
export const checkBundle: CommandRun<BundleVerifyFlags> = async (context, flags, [file = '']) => {
  const { verified, index, entries } = await readValidBundle(context, file, flags.trust);
  const { signature, bundleSignature } = verified;
  const carriesImages = entries.some(({ path }) => path === layoutIndexPath);
  printResult(context, flags.output, {
    data: { file, bundleSignature, signature, ...index },
    lines: () => [
      `Valid  ${file}: ${index.files.length} files, ${index.images.length} ${index.images.length === 1 ? 'image' : 'images'} ${carriesImages ? 'inside, ' : ''}for ${index.registry}.`,
      bundleWords(verified),
      `${index.releases.map(({ distribution, driver, version }) => `${distribution} ${driver.toUpperCase()} ${version}`).join(', ')} for Kubernetes ${index.kubernetes}.`,
      `Matrix ${index.matrix.serial}, ${signatureWords(verified)}.`,
      '',
      carriesImages
        ? `Next: vdoctl bundle load ${file} --registry ${index.registry}`
        : `Next: run tar -xf ${file} and follow README.md.`,
    ],
  });
  return exitCodes.done;
};
