import { isVdoError } from '@vdo/base/vdo-error';
import type { CallOptions, KubeClient } from '../client.ts';
import type { AnyObject, ManagedFieldsEntry } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';
import { groupOf, refOf } from './object-ref.ts';
import { isKept, isStorageClass } from './phases.ts';

/** Tools that apply whole manifests. Fields that somebody edits, patches, scales or labels manually do not belong to them. */
const installers = new Set([
  'kubectl',
  'kubectl-client-side-apply',
  'kubectl-create',
  'kubectl-replace',
  'before-first-apply',
  'helm',
  // Programs written with controller-runtime, such as upstream VDO.
  'manager',
]);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const merged = (left: unknown, right: unknown): unknown =>
  isFields(left) && isFields(right) ? union(left, right) : right;
const union = (left: Fields, right: Fields): Fields => ({
  ...left,
  ...Object.fromEntries(Object.entries(right).map(([key, value]) => [key, merged(left[key], value)])),
});

/** Objects to which people add labels of their own, in the same manifests. */
const isShared = (object: AnyObject): boolean => {
  const ref = refOf(object);
  return isKept(ref) || isStorageClass(ref) || groupOf(ref.apiVersion) === 'admissionregistration.k8s.io';
};

/**
 * The managedFields of an object whose fields an installer set, with these fields as ours; undefined if there is nothing to
 * take over. With server-side apply alone they would stay with the installer: a container or variable that ours lacks would remain.
 */
const takenOver = (
  entries: readonly ManagedFieldsEntry[],
  { fieldManager, apiVersion }: { readonly fieldManager: string; readonly apiVersion: string },
): readonly ManagedFieldsEntry[] | undefined => {
  const isOurs = ({ manager, operation }: ManagedFieldsEntry) => manager === fieldManager && operation === 'Apply';
  if (entries.some(isOurs)) return undefined;
  const isTheirs = (entry: ManagedFieldsEntry) =>
    installers.has(entry.manager ?? '') && !entry.subresource && entry.apiVersion === apiVersion;
  const theirs = entries.filter(isTheirs);
  if (theirs.length === 0) return undefined;
  const fieldsV1 = theirs.map((entry) => entry.fieldsV1 ?? {}).reduce(union);
  const ours = { manager: fieldManager, operation: 'Apply', apiVersion, fieldsType: 'FieldsV1', fieldsV1 } as const;
  return [...entries.filter((entry) => !isTheirs(entry)), ours];
};

const attempts = 3;

/** Takes over the fields that an installer set, before an object is applied for the first time. */
export const takeOver = async (
  client: KubeClient,
  object: AnyObject,
  { fieldManager, ...call }: CallOptions & { readonly fieldManager: string },
): Promise<void> => {
  if (isShared(object)) return;
  const { name, namespace } = refOf(object);
  const resource = (await client.resourceFor(object.apiVersion, object.kind, call)) as Resource<AnyObject>;
  const key = { name, ...(namespace ? { namespace } : {}) };
  for (let attempt = 1; ; attempt += 1) {
    const live = await client.find(resource, key, call);
    const entries = takenOver(live?.metadata.managedFields ?? [], { fieldManager, apiVersion: object.apiVersion });
    if (!live || !entries) return;
    const body = [
      { op: 'replace', path: '/metadata/managedFields', value: entries },
      // The entries are outdated if somebody has written meanwhile, and controllers write the status frequently.
      { op: 'replace', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion },
    ];
    try {
      await client.patch(resource, key, { type: 'json', body }, { ...call, fieldManager });
      return;
    } catch (error) {
      if (attempt === attempts || !isVdoError(error, 'KubeConflict')) throw error;
    }
  }
};
