import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import type { AnyObject } from '@vdo/kube/types/object';
import { parseMatrix } from '@vdo/releases/matrix';
import { verifyMatrix } from '@vdo/releases/matrix-signature';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import type { TarEntry } from '../../shared/archive/tar.ts';
import { type BundleIndex, indexPath, matrixPath, sha256Of, signaturePath } from './bundle-files.ts';
import { imagesOf } from './images.ts';

const text = z.string().min(1);
const indexSchema = z.object({
  schemaVersion: z.literal(1),
  vdoctl: text,
  registry: text,
  kubernetes: text,
  matrix: z.object({ serial: z.int(), source: text, signed: z.boolean() }),
  releases: z.array(z.object({ driver: text, distribution: text, version: text })),
  images: z.array(
    z.object({
      repository: text,
      tag: text,
      digest: text.nullable(),
      mirror: text,
      reference: text,
      usedBy: z.array(text),
    }),
  ),
  files: z.array(z.object({ path: text, bytes: z.int(), sha256: text })),
});

export interface VerifiedBundle {
  readonly index?: BundleIndex;
  /** Who signed the matrix: the id of a trusted key, or why nobody can tell. */
  readonly signature: { readonly keyId: string } | 'none' | 'not checked';
  /** What is wrong; empty if all is well. */
  readonly problems: readonly string[];
}

type Files = ReadonlyMap<string, string>;

const readIndex = (files: Files): BundleIndex | string => {
  const written = files.get(indexPath);
  if (written === undefined) return `it has no ${indexPath}`;
  try {
    const parsed = indexSchema.safeParse(JSON.parse(written));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return `${indexPath}: ${issue?.path.join('.')}: ${issue?.message}`;
  } catch {
    return `${indexPath} is no JSON`;
  }
};

const compareFiles = (files: Files, { files: listed }: BundleIndex): readonly string[] => {
  const names = new Set([indexPath, ...listed.map(({ path }) => path)]);
  return [
    ...listed.flatMap(({ path, sha256 }) => {
      const found = files.get(path);
      if (found === undefined) return [`${path} is missing`];
      return sha256Of(found) === sha256 ? [] : [`${path} was changed: its sum is not the one in ${indexPath}`];
    }),
    ...[...files.keys()].filter((path) => !names.has(path)).map((path) => `${path} is not listed in ${indexPath}`),
  ];
};

const strangeImages = (files: Files, { images }: BundleIndex): readonly string[] => {
  const known = new Set(images.map(({ reference }) => reference));
  return [...files]
    .filter(([path]) => path.startsWith('manifests/'))
    .flatMap(([path, written]) => {
      const objects = parseAllDocuments(written).map((document) => document.toJS() as AnyObject | null);
      const used = new Set(objects.flatMap((object) => (object ? imagesOf(object) : [])));
      return [...used]
        .filter((image) => !known.has(image))
        .map((image) => `${path} runs ${image}, which is not listed`);
    });
};

const judgeMatrix = (
  files: Files,
  index: BundleIndex,
  trustedKeys: readonly string[],
): Pick<VerifiedBundle, 'signature' | 'problems'> => {
  const written = files.get(matrixPath);
  if (written === undefined) return { signature: 'none', problems: [] };
  const signature = files.get(signaturePath);
  try {
    const { serial } = parseMatrix(written, matrixPath);
    if (serial !== index.matrix.serial) {
      const problem = `${matrixPath} has serial ${serial}, ${indexPath} says ${index.matrix.serial}`;
      return { signature: 'not checked', problems: [problem] };
    }
    if (signature === undefined) return { signature: 'none', problems: [] };
    if (trustedKeys.length === 0) return { signature: 'not checked', problems: [] };
    const keyId = verifyMatrix({ text: written, signature, trustedKeys, source: matrixPath });
    return { signature: { keyId }, problems: [] };
  } catch (error) {
    if (!isVdoError(error, 'MatrixInvalid', 'MatrixSignatureInvalid')) throw error;
    return { signature: 'not checked', problems: [toVdoError(error).message] };
  }
};

/** Compares the files of a bundle with its index, and looks at matrix and manifests. */
export const verifyBundle = (entries: readonly TarEntry[], trustedKeys: readonly string[]): VerifiedBundle => {
  const files = new Map(entries.map(({ path, content }) => [path, Buffer.from(content).toString('utf8')]));
  const index = readIndex(files);
  if (typeof index === 'string') return { signature: 'not checked', problems: [index] };
  const { signature, problems } = judgeMatrix(files, index, trustedKeys);
  return { index, signature, problems: [...compareFiles(files, index), ...problems, ...strangeImages(files, index)] };
};
