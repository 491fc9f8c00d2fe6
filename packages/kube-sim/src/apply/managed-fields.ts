import type { ManagedFieldsEntry } from '@vdo/kube/types/object';
import { difference, type FieldSet, fromFieldsV1, isEmptySet, toFieldsV1 } from './field-set.ts';

/** One manager's share of an object. */
export interface Share {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

export type ManagerId = Pick<Share, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

/** An applier is one manager for all versions; an updater is one manager per version. */
export const isSameManager = (a: ManagerId, b: ManagerId): boolean =>
  a.manager === b.manager &&
  a.operation === b.operation &&
  a.subresource === b.subresource &&
  (a.operation === 'Apply' || a.apiVersion === b.apiVersion);

export const decodeShares = (entries: readonly ManagedFieldsEntry[] | undefined): readonly Share[] =>
  (entries ?? []).map((entry) => ({
    manager: entry.manager ?? 'unknown',
    operation: entry.operation ?? 'Update',
    apiVersion: entry.apiVersion ?? '',
    subresource: entry.subresource ?? '',
    time: entry.time,
    fields: fromFieldsV1(entry.fieldsV1),
  }));

const order = (a: Share, b: Share): number =>
  a.operation.localeCompare(b.operation) ||
  (a.time ?? '').localeCompare(b.time ?? '') ||
  a.manager.localeCompare(b.manager) ||
  a.subresource.localeCompare(b.subresource);

export const encodeShares = (shares: readonly Share[]): readonly ManagedFieldsEntry[] | undefined => {
  const entries = shares
    .filter(({ fields }) => !isEmptySet(fields))
    .sort(order)
    .map((share) => ({
      manager: share.manager,
      operation: share.operation,
      apiVersion: share.apiVersion,
      ...(share.time === undefined ? {} : { time: share.time }),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(share.fields),
      ...(share.subresource === '' ? {} : { subresource: share.subresource }),
    }));
  return entries.length > 0 ? entries : undefined;
};

/** Fields without an owner: the identity, and fields that only the server writes. */
const unowned: FieldSet = fromFieldsV1({
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': {
    '.': {},
    'f:name': {},
    'f:generateName': {},
    'f:namespace': {},
    'f:creationTimestamp': {},
    'f:selfLink': {},
    'f:uid': {},
    'f:generation': {},
    'f:managedFields': {},
    'f:resourceVersion': {},
  },
});

export const withoutUnowned = (fields: FieldSet): FieldSet => difference(fields, unowned);

/** Replaces or adds one manager's share. */
export const withShare = (shares: readonly Share[], next: Share): readonly Share[] => [
  ...shares.filter((share) => !isSameManager(share, next)),
  next,
];
