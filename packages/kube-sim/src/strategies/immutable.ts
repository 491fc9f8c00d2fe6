import type { AnyObject } from '@vdo/kube/types/object';
import { type FieldError, invalidValue } from '../api-error.ts';
import { deepEqual, getIn } from '../json.ts';

/** An error for each of the paths whose value changed. */
export const immutableFields = (
  object: AnyObject,
  before: AnyObject | undefined,
  paths: readonly string[],
  detail = 'field is immutable',
): readonly FieldError[] => {
  if (!before) return [];
  return paths
    .map((path) => ({ path, value: getIn(object, path.split('.')), old: getIn(before, path.split('.')) }))
    .filter(({ value, old }) => !deepEqual(value, old))
    .map(({ path, value }) => invalidValue(path, value ?? null, detail));
};
