import type { AnyObject } from '@vdo/kube/types/object';
import { badRequest } from '../api-error.ts';
import { getIn } from '../json.ts';

export type ObjectMatcher = (object: AnyObject) => boolean;

export interface SelectableFields {
  readonly kind: string;
  /** Paths besides metadata.name and metadata.namespace. */
  readonly fields: readonly string[];
}

const textAt = (object: AnyObject, path: string): string => {
  const value = getIn(object, path.split('.'));
  // Unset booleans are selectable as "false", e.g. spec.unschedulable of nodes.
  if (value === undefined || value === null) return path.endsWith('unschedulable') ? 'false' : '';
  return String(value);
};

/** Parses `a.b=c,d!=e`; an empty text matches everything, an unknown field is a bad request as in a real server. */
export const parseFieldSelector = (text: string, { kind, fields }: SelectableFields): ObjectMatcher => {
  if (text.trim() === '') return () => true;
  const supported = ['metadata.name', 'metadata.namespace', ...fields];
  const matchers = text.split(',').map((part): ObjectMatcher => {
    const [, path = '', operator, wanted = ''] = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(part) ?? [];
    if (!operator)
      throw badRequest(`invalid field selector ${JSON.stringify(text)}: can't understand ${JSON.stringify(part)}`);
    if (!supported.includes(path)) throw badRequest(`field label not supported for ${kind}: ${path}`);
    return (object) => (textAt(object, path) === wanted) === (operator !== '!=');
  });
  return (object) => matchers.every((matches) => matches(object));
};
