import type { AnyObject } from '../types/object.ts';
import { comparable, fieldDiffs } from './diff.ts';
import type { ObjectRef } from './object-ref.ts';

/** What somebody had changed about an object that was applied, and what is as it was applied again. */
export interface Repair {
  readonly ref: ObjectRef;
  /** Paths of the fields; empty if the whole object had been deleted. */
  readonly fields: readonly string[];
  /** The field manager that wrote last beside ours, if one did. */
  readonly manager?: string;
}

/** Who wrote last beside us, the reports of controllers apart. */
export const lastRival = (live: AnyObject | undefined, fieldManager: string): string | undefined =>
  (live?.metadata.managedFields ?? [])
    .filter(({ manager, subresource }) => manager !== fieldManager && !subresource)
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))[0]?.manager;

/** The repair that an apply has done; undefined if it changed nothing back. */
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
