import { isVdoError } from '@vdo/base/vdo-error';
import type { CallOptions, KubeClient } from '../client.ts';
import type { AnyObject } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';
import { immutableFieldError } from './immutable-field.ts';
import { type ObjectRef, refOf } from './object-ref.ts';

export interface FieldDiff {
  /** `.spec.template.spec.containers[0].image` */
  readonly path: string;
  /** Undefined if the field does not exist. */
  readonly from: unknown;
  readonly to: unknown;
}

export interface ObjectDiff {
  readonly ref: ObjectRef;
  readonly action: 'create' | 'change' | 'none';
  readonly fields: readonly FieldDiff[];
}

const hidden = '(hidden)';
/** Fields of metadata that every write changes. */
const bookkeeping = new Set(['managedFields', 'resourceVersion', 'generation', 'creationTimestamp', 'uid', 'selfLink']);

/** What applying the objects would change, according to the server. */
export const diffObjects = async (
  client: KubeClient,
  objects: readonly AnyObject[],
  options: CallOptions & { readonly fieldManager: string; readonly force: boolean },
): Promise<readonly ObjectDiff[]> => {
  const diffs: ObjectDiff[] = [];
  for (const object of objects) diffs.push(await diffObject(client, object, options));
  return diffs;
};

const diffObject = async (
  client: KubeClient,
  object: AnyObject,
  options: CallOptions & { readonly fieldManager: string; readonly force: boolean },
): Promise<ObjectDiff> => {
  const { fieldManager, force, ...call } = options;
  const ref = refOf(object);
  const key = { name: ref.name, ...(ref.namespace && { namespace: ref.namespace }) };
  try {
    const resource = (await client.resourceFor(object.apiVersion, object.kind, call)) as Resource<AnyObject>;
    const live = await client.find(resource, key, call);
    if (!live) return { ref, action: 'create', fields: [] };
    const wanted = await client.apply(resource, object, { ...call, fieldManager, force, dryRun: true });
    const fields = fieldDiffs(comparable(live), comparable(wanted)).map((diff) => hideSecret(object, diff));
    return { ref, action: fields.length > 0 ? 'change' : 'none', fields };
  } catch (error) {
    // Its CRD is one of the objects that have yet to be applied.
    if (isVdoError(error, 'KubeResourceMissing')) return { ref, action: 'create', fields: [] };
    throw immutableFieldError(ref, error);
  }
};

/** An object without the fields that every write changes, and without its status. */
export const comparable = ({ status: _, metadata, ...object }: AnyObject): unknown => ({
  ...object,
  metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !bookkeeping.has(name))),
});

const hideSecret = (object: AnyObject, diff: FieldDiff): FieldDiff =>
  object.kind === 'Secret' && /^\.(data|stringData)/.test(diff.path)
    ? {
        path: diff.path,
        from: diff.from === undefined ? undefined : hidden,
        to: diff.to === undefined ? undefined : hidden,
      }
    : diff;

/** The leaf fields in which two values differ. */
export const fieldDiffs = (from: unknown, to: unknown, path = ''): readonly FieldDiff[] => {
  if (Array.isArray(from) && Array.isArray(to)) {
    const indexes = Array.from({ length: Math.max(from.length, to.length) }, (_, index) => index);
    return indexes.flatMap((index) => fieldDiffs(from[index], to[index], `${path}[${index}]`));
  }
  if (isRecord(from) && isRecord(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return names.flatMap((name) => fieldDiffs(from[name], to[name], `${path}${step(name)}`));
  }
  return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path, from, to }];
};

const step = (name: string): string => (/^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
