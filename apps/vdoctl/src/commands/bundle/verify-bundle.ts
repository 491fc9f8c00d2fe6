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
import { carriedProblems, isBlobPath, layoutIndexPath, nameInBundle } from './carried-images.ts';
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
  /** Who signed the bundle: the ID of a trusted key, or why this is unknown. */
  readonly bundleSignature: Signature;
  /** The same for the matrix. */
  readonly signature: Signature;
  /** The problems found; empty if the bundle is valid. */
  readonly problems: readonly string[];
}

type Files = ReadonlyMap<string, string>;

const readIndex = (files: Files): BundleIndex | string => {
  const written = files.get(indexPath);
  if (written === undefined) return `${indexPath} is missing`;
  try {
    const parsed = indexSchema.safeParse(JSON.parse(written));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return `${indexPath}: ${issue?.path.join('.')}: ${issue?.message}`;
  } catch {
    return `${indexPath} is not valid JSON`;
  }
};

const compareFiles = (files: Files, { files: listed }: BundleIndex): readonly string[] => {
  const names = new Set([indexPath, indexSignaturePath, ...listed.map(({ path }) => path)]);
  return [
    ...listed.flatMap(({ path, sha256 }) => {
      const found = files.get(path);
      if (found === undefined) return [`${path} is missing`];
      return sha256Of(found) === sha256 ? [] : [`${path} was changed: its checksum differs from ${indexPath}`];
    }),
    ...[...files.keys()].filter((path) => !names.has(path)).map((path) => `${path} is not listed in ${indexPath}`),
  ];
};

const unlistedImages = (files: Files, { images }: BundleIndex): readonly string[] => {
  const known = new Set(images.map(({ reference }) => reference));
  return [...files]
    .filter(([path]) => path.startsWith('manifests/'))
    .flatMap(([path, written]) => {
      let objects: readonly (AnyObject | null)[];
      try {
        objects = yamlValues(written) as readonly (AnyObject | null)[];
      } catch (error) {
        return [`${path} is not valid YAML: ${error instanceof Error ? error.message : String(error)}`];
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

/** With trusted keys, one of them must have signed the index. The checksums in the index cover all other files. */
const judgeIndex = (
  files: Files,
  trustedKeys: readonly string[],
): Pick<VerifiedBundle, 'bundleSignature' | 'problems'> => {
  const signature = files.get(indexSignaturePath);
  if (trustedKeys.length === 0)
    return { bundleSignature: signature === undefined ? 'none' : 'not checked', problems: [] };
  if (signature === undefined)
    return { bundleSignature: 'none', problems: [`it is not signed: ${indexSignaturePath} is missing`] };
  try {
    const text = files.get(indexPath) ?? '';
    const keyId = verifyMatrix({ text, signature, trustedKeys, source: indexPath, what: 'bundle' });
    return { bundleSignature: { keyId }, problems: [] };
  } catch (error) {
    if (!isVdoError(error, 'MatrixSignatureInvalid')) throw error;
    return { bundleSignature: 'not checked', problems: [error.message] };
  }
};

/** Entries that archive programs treat differently. */
const oddEntries = (entries: readonly TarEntry[]): readonly string[] => {
  const paths = entries.map(({ path }) => path);
  const twice = paths.filter((path, index) => paths.indexOf(path) !== index);
  const outside = paths.filter((path) => path.startsWith('/') || path.split('/').includes('..'));
  return [
    ...twice.map((path) => `${path} occurs twice in the archive`),
    ...outside.map((path) => `${path} points outside the folder`),
  ];
};

/** Compares the files of a bundle with its index, and validates matrix and manifests. */
export const verifyBundle = (entries: readonly TarEntry[], trustedKeys: readonly string[]): VerifiedBundle => {
  const plain = entries.filter(({ path }) => !isBlobPath(path));
  const files = new Map(plain.map(({ path, content }) => [path, Buffer.from(content).toString('utf8')]));
  const blobs = new Map(entries.filter(({ path }) => isBlobPath(path)).map(({ path, content }) => [path, content]));
  const indexResult = judgeIndex(files, trustedKeys);
  const index = readIndex(files);
  const odd = oddEntries(entries);
  if (typeof index === 'string')
    return { ...indexResult, signature: 'not checked', problems: [index, ...indexResult.problems, ...odd] };
  const { signature, problems } = judgeMatrix(files, index, trustedKeys);
  const names = index.images.map((image) => nameInBundle(image, index.registry));
  const carried = carriedProblems(files.get(layoutIndexPath), blobs, names);
  return {
    index,
    signature,
    bundleSignature: indexResult.bundleSignature,
    problems: [
      ...odd,
      ...compareFiles(files, index),
      ...indexResult.problems,
      ...problems,
      ...unlistedImages(files, index),
      ...carried,
    ],
  };
};
