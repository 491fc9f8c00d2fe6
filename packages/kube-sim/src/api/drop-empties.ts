import type { AnyObject } from '@vdo/kube/types/object';
import { isObject } from '../json.ts';

// Go leaves out empty maps and lists of these types, and keeps empty structs such as `emptyDir: {}`.
const maps = new Set(
  'labels annotations data binaryData stringData parameters limits requests capacity allocatable overhead nodeSelector matchLabels volumeAttributes attachmentMetadata'.split(
    ' ',
  ),
);
// Plain booleans of Go: false is the same as absent.
const flags = new Set('hostNetwork hostPID hostIPC paused unschedulable readOnly'.split(' '));
const keptLists = new Set(['drivers', 'rules']);

const isDropped = (name: string, value: unknown): boolean => {
  if (value === null || value === undefined) return true;
  if (value === false) return flags.has(name);
  if (Array.isArray(value)) return value.length === 0 && !keptLists.has(name);
  return isObject(value) && maps.has(name) && Object.keys(value).length === 0;
};

const withoutEmpties = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutEmpties(item, name));
  if (!isObject(value) || maps.has(name)) return value;
  const kept: Record<string, unknown> = {};
  for (const field of Object.keys(value)) {
    const child = value[field];
    if (!isDropped(field, child)) kept[field] = typeof child === 'object' ? withoutEmpties(child, field) : child;
  }
  return kept;
};

/** An object as it looks after a trip through Go's types: all of it for built-in kinds, the metadata of custom ones. */
export const dropEmpties = (object: AnyObject, isCustom: boolean): AnyObject => {
  if (!isCustom) return withoutEmpties(object, '') as AnyObject;
  return { ...object, metadata: withoutEmpties(object.metadata, '') as AnyObject['metadata'] };
};
