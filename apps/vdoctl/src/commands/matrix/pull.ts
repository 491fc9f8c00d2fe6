import { readFile, rename, writeFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { acceptMatrix, parseMatrix } from '@vdo/releases/matrix';
import { signatureSuffix } from '@vdo/releases/read-document';
import type { CommandRun } from '../../cli/command-run.ts';
import { printResult } from '../../output/print-result.ts';
import { readSigned, type SignedMatrix } from '../../shared/releases/read-signed.ts';
import { trustedKeys } from '../../shared/releases/trusted-keys.ts';
import type { MatrixPullFlags } from './commands.ts';
import { summaryLine, summaryOf } from './verify.ts';

const existing = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** An existing file must be an older matrix, or the same one. */
const mindExisting = async (file: string, { matrix, source }: SignedMatrix): Promise<void> => {
  const text = await existing(file);
  if (text !== undefined) acceptMatrix(parseMatrix(text, file), matrix, source);
};

/** Writes each file atomically. The signature is first: an interruption leaves an old matrix that fails verification. */
const keep = async (file: string, { text, signature }: SignedMatrix): Promise<void> => {
  for (const [path, content] of [
    [`${file}${signatureSuffix}`, signature],
    [file, text],
  ] as const) {
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
  }
};

const unwritable = (file: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
    remedy: 'Choose a file in an existing, writable folder with --to.',
    cause,
  });

/** vdoctl matrix pull SOURCE */
export const matrixPull: CommandRun<MatrixPullFlags> = async (context, flags, [source = '']) => {
  const signed = await readSigned(context, source, { trustedKeys: await trustedKeys(context, flags) });
  const { to } = flags;
  await mindExisting(to, signed);
  await keep(to, signed).catch((error: unknown) => {
    throw unwritable(to, error);
  });
  printResult(context, flags.output, {
    data: { ...summaryOf(signed), files: [to, `${to}${signatureSuffix}`] },
    lines: () => [`Saved ${to} and ${to}${signatureSuffix}: ${summaryLine(signed)}.`],
  });
};
