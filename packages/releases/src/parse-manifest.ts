import { VdoError } from '@vdo/base/vdo-error';
import { yamlValues } from '@vdo/base/yaml';
import type { AnyObject } from '@vdo/kube/types/object';

const invalid = (source: string, why: string): VdoError =>
  new VdoError({
    code: 'CniManifestInvalid',
    message: `the CNI manifest from ${source}: ${why}`,
    remedy: 'Correct the manifest, or set another one in spec.cni.manifest. The installed pod network stays unchanged.',
  });

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const toObjects = (value: unknown, position: string, source: string): readonly AnyObject[] => {
  if (value === null) return [];
  if (!isObject(value)) throw invalid(source, `document ${position} is no Kubernetes object`);
  const { kind, apiVersion, metadata, items } = value;
  if (kind === 'List' && Array.isArray(items))
    return items.flatMap((item, index) => toObjects(item, `${position}.items[${index}]`, source));
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (typeof kind === 'string' && typeof apiVersion === 'string' && typeof name === 'string')
    return [value as unknown as AnyObject];
  const missing = Object.entries({ apiVersion, kind, 'metadata.name': name })
    .filter(([, field]) => typeof field !== 'string')
    .map(([field]) => field);
  throw invalid(source, `document ${position} has no ${missing.join(', ')}`);
};

/** The documents in the text. Aliases that refer to nothing or multiply, and excessive depth, are invalid. */
const readDocuments = (text: string, source: string): readonly unknown[] => {
  try {
    return yamlValues(text);
  } catch (cause) {
    throw invalid(source, `it is not valid YAML: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
};

/** The objects of a manifest. Throws CniManifestInvalid with the first document that is wrong. */
export const parseManifest = (text: string, source: string): readonly AnyObject[] => {
  const objects = readDocuments(text, source).flatMap((value, index) => toObjects(value, String(index + 1), source));
  if (objects.length === 0) throw invalid(source, 'it contains no objects');
  return objects;
};
