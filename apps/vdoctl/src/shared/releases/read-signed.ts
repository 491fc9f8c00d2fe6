import { resolve } from 'node:path';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { createDocumentReaders } from '@vdo/releases/create-document-readers';
import { type Matrix, parseMatrix } from '@vdo/releases/matrix';
import { verifyMatrix } from '@vdo/releases/matrix-signature';
import { type Document, readDocument } from '@vdo/releases/read-document';
import type { CliContext } from '../../cli/context.ts';

/** A matrix with a valid signature. */
export interface SignedMatrix {
  readonly matrix: Matrix;
  /** The signed bytes. */
  readonly text: string;
  readonly signature: string;
  readonly keyId: string;
  readonly source: string;
}

const isAddress = (source: string): boolean => /^https?:\/\//.test(source);

const unreadable = (source: string, why: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'SourceUnreadable',
    message: `compatibility matrix from ${source}: ${why}`,
    remedy: isAddress(source)
      ? 'Check that this machine can reach the URL (HTTPS_PROXY, firewall, DNS), or use another URL.'
      : 'Pass a readable file, or a URL that begins with https://',
    cause,
  });

const readText = async (context: Pick<CliContext, 'env' | 'clock' | 'signal'>, file: string): Promise<string> => {
  const { readFile } = createDocumentReaders(context.env, context.clock);
  const text = await readFile(file, context).catch((error: unknown) => {
    throw unreadable(file, error instanceof Error ? error.message : String(error), error);
  });
  if (text === undefined) throw unreadable(file, 'the file does not exist', undefined);
  return text;
};

/** The public keys in these files. */
export const readKeys = (
  context: Pick<CliContext, 'env' | 'clock' | 'signal'>,
  files: readonly string[],
): Promise<readonly string[]> =>
  Promise.all(
    files.map(async (file) => {
      const { readFile } = createDocumentReaders(context.env, context.clock);
      const text = await readFile(file, context).catch(() => undefined);
      if (text !== undefined) return text;
      throw new VdoError({
        code: 'ConfigMissing',
        message: `cannot read the public key ${file}`,
        remedy: 'Pass a readable PEM file with --trust.',
      });
    }),
  );

const read = async (context: CliContext, source: string): Promise<Document> => {
  const readers = createDocumentReaders(context.env, context.clock);
  const about = { field: 'the source', what: 'compatibility matrix', signal: context.signal };
  const place = isAddress(source) ? { url: source } : { file: resolve(source) };
  try {
    return await readDocument(place, { ...readers, readConfigMap: async () => undefined, ...about });
  } catch (error) {
    context.signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    const reported = isVdoError(error, 'SourceUnreadable') ? why.slice(why.indexOf(': ') + 2) : why;
    throw unreadable(source, reported.replace(`from ${resolve(source)}: `, ''), error);
  }
};

/** Reads a matrix and its signature. Fails unless a trusted key signed it and it is valid. */
export const readSigned = async (
  context: CliContext,
  source: string,
  options: { readonly trustedKeys: readonly string[]; readonly signatureFile?: string | undefined },
): Promise<SignedMatrix> => {
  const { text, signature: beside } = await read(context, source);
  const { signatureFile, trustedKeys } = options;
  const signature = signatureFile === undefined ? beside : await readText(context, signatureFile);
  const keyId = verifyMatrix({ text, signature, trustedKeys, source });
  return { matrix: parseMatrix(text, source), text, signature: signature ?? '', keyId, source };
};
