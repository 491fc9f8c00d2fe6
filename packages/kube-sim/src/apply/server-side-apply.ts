import type { AnyObject, StatusReply } from '@vdo/kube/types/object';
import { ApiError } from '../api-error.ts';
import { deepEqual } from '../json.ts';
import {
  difference,
  emptyFieldSet,
  equalSets,
  type FieldSet,
  fieldSet,
  intersection,
  isEmptySet,
  pathTexts,
  union,
} from './field-set.ts';
import {
  decodeShares,
  encodeShares,
  isSameManager,
  type ManagerId,
  type Share,
  withoutUnowned,
  withShare,
} from './managed-fields.ts';
import type { MergeType } from './merge-type.ts';
import {
  type Comparison,
  compareValues,
  fieldSetOf,
  isUnchanged,
  mergeValues,
  removeDropped,
  unionOf,
} from './typed-value.ts';

export interface OwnershipChange {
  readonly manager: string;
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** RFC 3339. */
  readonly time: string;
  readonly type: MergeType;
  /** Whether `status` can only be written through its subresource. */
  readonly hasStatus: boolean;
}

const withoutManagedFields = (object: AnyObject): AnyObject => {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};

const withManagedFields = (object: AnyObject, shares: readonly Share[]): AnyObject => {
  const managedFields = encodeShares(shares);
  const bare = withoutManagedFields(object);
  return managedFields ? { ...bare, metadata: { ...bare.metadata, managedFields } } : bare;
};

/** Only the fields that this endpoint writes: the status endpoint does not write spec, the main one does not write status. */
const writableHere = (fields: FieldSet, { hasStatus, subresource }: OwnershipChange): FieldSet => {
  if (!hasStatus) return fields;
  const foreign = subresource === 'status' ? 'f:spec' : 'f:status';
  return fieldSet(
    fields.member,
    [...fields.children].filter(([key]) => key !== foreign),
  );
};

const takeFrom = (share: Share, { added, modified, removed }: Comparison): Share => ({
  ...share,
  fields: difference(difference(share.fields, union(added, modified)), removed),
});

/** Records field ownership after a create, update or patch: the writer owns what it changed, others lose it. */
export const recordUpdate = (before: AnyObject | undefined, after: AnyObject, change: OwnershipChange): AnyObject => {
  const given = change.subresource === '' ? after.metadata.managedFields : undefined;
  const isReset = given !== undefined && (given.length === 0 || (given.length === 1 && deepEqual(given[0], {})));
  const last = before?.metadata.managedFields;
  const isGiven = given !== undefined && given.length > 0 && !deepEqual(given, last);
  const shares = isReset ? [] : decodeShares(isGiven ? given : last);
  const bare = withoutManagedFields(after);
  if (before && shares.length === 0) return bare;

  const compared = compareValues(before ? withoutManagedFields(before) : {}, bare, change.type);
  const written = withoutUnowned(writableHere(union(compared.added, compared.modified), change));
  const rest = shares.map((share) => takeFrom(share, compared));
  const id: ManagerId = { ...change, operation: 'Update' };
  if (isEmptySet(written)) return withManagedFields(bare, rest);
  const own = rest.find((share) => isSameManager(share, id))?.fields ?? emptyFieldSet;
  return withManagedFields(bare, withShare(rest, { ...id, time: change.time, fields: union(own, written) }));
};

/** Before the first apply to an object without managers, all its fields belong to an artificial manager. */
const sharesOf = (live: AnyObject, change: OwnershipChange): readonly Share[] => {
  const shares = decodeShares(live.metadata.managedFields);
  if (shares.length > 0 || live.metadata.uid === undefined) return shares;
  const fields = withoutUnowned(writableHere(compareValues({}, withoutManagedFields(live), change.type).added, change));
  return [{ ...change, manager: 'before-first-apply', operation: 'Update', fields }];
};

export interface Applied {
  /** Merged, without managedFields: defaulting and validation come next. */
  readonly merged: AnyObject;
  /** Puts the ownership into the object as it is finally stored. */
  finish(stored: AnyObject): AnyObject;
}

/** Server-side apply of a configuration. Throws a Conflict naming managers and fields unless `force`. */
export const applyConfiguration = (
  live: AnyObject | undefined,
  configuration: AnyObject,
  change: OwnershipChange & { readonly force: boolean },
): Applied => {
  const base = live ?? configuration;
  const before = live ? withoutManagedFields(live) : undefined;
  const shares = sharesOf(base, change);
  const id: ManagerId = { ...change, operation: 'Apply' };
  const own = shares.find((share) => isSameManager(share, id));
  const last = own?.fields ?? emptyFieldSet;
  const applied = writableHere(fieldSetOf(configuration, change.type), change);
  const fields = withoutUnowned(applied);
  const others = shares.filter((share) => !isSameManager(share, id));

  const keep = unionOf([applied, ...others.map((share) => share.fields)]);
  const laid = mergeValues(before, configuration, change.type);
  const merged = removeDropped(laid, { last, keep }, change.type) as AnyObject;
  const compared = compareValues(before ?? {}, merged, change.type);
  const changed = writableHere(union(compared.added, compared.modified), change);
  const conflicts = others
    .map((share) => ({ share, fields: intersection(share.fields, changed) }))
    .filter((conflict) => !isEmptySet(conflict.fields));
  if (conflicts.length > 0 && !change.force) throw conflictError(conflicts);

  const rest = others.map((share) => takeFrom(share, { ...compared, added: changed, modified: emptyFieldSet }));
  const isTouched = !own || !equalSets(last, fields) || !isUnchanged(compared);
  const next = withShare(rest, { ...id, time: isTouched ? change.time : own.time, fields });
  return { merged, finish: (stored) => withManagedFields(stored, next) };
};

const managerText = ({ manager, operation, subresource, apiVersion, time }: Share): string => {
  const name =
    subresource === '' ? JSON.stringify(manager) : `${JSON.stringify(manager)} with subresource "${subresource}"`;
  if (operation === 'Apply') return name;
  return time === undefined ? `${name} using ${apiVersion}` : `${name} using ${apiVersion} at ${time}`;
};

const conflictError = (conflicts: readonly { readonly share: Share; readonly fields: FieldSet }[]): ApiError => {
  const all = conflicts.flatMap(({ share, fields }) =>
    pathTexts(fields).map((field) => ({ field, by: managerText(share) })),
  );
  const [first] = all;
  const text =
    all.length === 1 && first
      ? `Apply failed with 1 conflict: conflict with ${first.by}: ${first.field}`
      : `Apply failed with ${all.length} conflicts: ${conflicts
          .map(({ share, fields }) =>
            [`conflicts with ${managerText(share)}:`, ...pathTexts(fields).map((path) => `- ${path}`)].join('\n'),
          )
          .join('\n')}`;
  const causes: NonNullable<StatusReply['details']>['causes'] = all.map(({ field, by }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${by}`,
    field,
  }));
  return new ApiError(409, 'Conflict', text, { causes });
};
