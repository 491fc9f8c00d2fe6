import type { AnyObject } from '../types/object.ts';
import { comparable, fieldDiffs } from './diff.ts';
import type { ObjectRef } from './object-ref.ts';

/** What somebody changed in an applied object, and the apply has restored. */
export interface Repair {
  readonly ref: ObjectRef;
  /** Paths of the fields; empty if the whole object was deleted. */
  readonly fields: readonly string[];
  /** The field manager, other than ours, that wrote last; undefined if there is none. */
  readonly manager?: string;
}

/** The manager that wrote last besides ours, except controllers that write the status. */
export const lastRival = (live: AnyObject | undefined, fieldManager: string): string | undefined =>
  (live?.metadata.managedFields ?? [])
    .filter(({ manager, subresource }) => manager !== fieldManager && !subresource)
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))[0]?.manager;

/** The repair that an apply has made; undefined if it restored nothing. */
export const repairOf = (
  ref: ObjectRef,
  { before, after }: { readonly before: AnyObject | undefined; readonly after: AnyObject },
  fieldManager: string,
): Repair | undefined => {
  if (!before) return { ref, fields: [] };
  const fields = fieldDiffs(comparable(before), comparable(after)).map(({ path }) => path);
  const manager = lastRival(before, fieldManager);
  return fields.length === 0 ? undefined : { ref, fields, ...(manager ? { manager } : {}) };
};
