import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import { yamlValues } from '@vdo/base/yaml';
import type { AnyObject } from '@vdo/kube/types/object';
import { parseMatrix } from '@vdo/releases/matrix';
import { verifyMatrix } from '@vdo/releases/matrix-signature';
import { z } from 'zod';
import type { TarEntry } from '../../shared/archive/tar.ts';
import {
  type BundleIndex,
  indexPath,
  indexSignaturePath,
  matrixPath,
  sha256Of,
  signaturePath,
} from './bundle-files.ts';
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

export type Signature = { readonly keyId: string } | 'none' | 'not checked';

export interface VerifiedBundle {
  readonly index?: BundleIndex;
  /** Who signed the whole of it: the id of a trusted key, or why nobody can tell. */
  readonly bundleSignature: Signature;
  /** The same of the matrix. */
  readonly signature: Signature;
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
  const names = new Set([indexPath, indexSignaturePath, ...listed.map(({ path }) => path)]);
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
      let objects: readonly (AnyObject | null)[];
      try {
        objects = yamlValues(written) as readonly (AnyObject | null)[];
      } catch (error) {
        return [`${path} is no YAML: ${error instanceof Error ? error.message : String(error)}`];
      }
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

/** With keys to trust, one of them must have signed the index; the sums in it stand for everything else. */
const judgeIndex = (
  files: Files,
  trustedKeys: readonly string[],
): Pick<VerifiedBundle, 'bundleSignature' | 'problems'> => {
  const signature = files.get(indexSignaturePath);
  if (trustedKeys.length === 0)
    return { bundleSignature: signature === undefined ? 'none' : 'not checked', problems: [] };
  if (signature === undefined)
    return { bundleSignature: 'none', problems: [`nobody has signed it: it has no ${indexSignaturePath}`] };
  try {
    const text = files.get(indexPath) ?? '';
    const keyId = verifyMatrix({ text, signature, trustedKeys, source: indexPath, what: 'bundle' });
    return { bundleSignature: { keyId }, problems: [] };
  } catch (error) {
    if (!isVdoError(error, 'MatrixSignatureInvalid')) throw error;
    return { bundleSignature: 'not checked', problems: [error.message] };
  }
};

/** What an archive may hold that one reader sees and another does not. */
const oddEntries = (entries: readonly TarEntry[]): readonly string[] => {
  const paths = entries.map(({ path }) => path);
  const twice = paths.filter((path, index) => paths.indexOf(path) !== index);
  const outside = paths.filter((path) => path.startsWith('/') || path.split('/').includes('..'));
  return [
    ...twice.map((path) => `${path} is in it twice`),
    ...outside.map((path) => `${path} leads out of the folder`),
  ];
};

/** Compares the files of a bundle with its index, and looks at matrix and manifests. */
export const verifyBundle = (entries: readonly TarEntry[], trustedKeys: readonly string[]): VerifiedBundle => {
  const files = new Map(entries.map(({ path, content }) => [path, Buffer.from(content).toString('utf8')]));
  const vouched = judgeIndex(files, trustedKeys);
  const index = readIndex(files);
  const odd = oddEntries(entries);
  if (typeof index === 'string')
    return { ...vouched, signature: 'not checked', problems: [index, ...vouched.problems, ...odd] };
  const { signature, problems } = judgeMatrix(files, index, trustedKeys);
  return {
    index,
    signature,
    bundleSignature: vouched.bundleSignature,
    problems: [...odd, ...compareFiles(files, index), ...vouched.problems, ...problems, ...strangeImages(files, index)],
  };
};
