import { isObject, type JsonObject } from '../json.ts';

/**
 * A set of field paths as a tree. Children are keyed by serialized path elements: `f:name` for a field, `k:{…}` for an
 * item of a list with keys, `v:…` for an item of a set. `member` says that the path up to here is in the set itself.
 */
export interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

export const emptyFieldSet: FieldSet = { member: false, children: new Map() };
export const memberFieldSet: FieldSet = { member: true, children: new Map() };

export const isEmptySet = (set: FieldSet): boolean => !set.member && set.children.size === 0;

/** Builds a node, leaving out empty children. */
export const fieldSet = (member: boolean, children: Iterable<readonly [string, FieldSet]>): FieldSet => ({
  member,
  children: new Map([...children].filter(([, child]) => !isEmptySet(child))),
});

const zip = (
  a: FieldSet,
  b: FieldSet,
  combine: {
    readonly member: (x: boolean, y: boolean) => boolean;
    readonly set: (x: FieldSet, y: FieldSet) => FieldSet;
  },
): FieldSet => {
  const keys = new Set([...a.children.keys(), ...b.children.keys()]);
  const children = [...keys].map(
    (key) => [key, combine.set(a.children.get(key) ?? emptyFieldSet, b.children.get(key) ?? emptyFieldSet)] as const,
  );
  return fieldSet(combine.member(a.member, b.member), children);
};

/** Whether all of `b` is in `a`. */
const includes = (a: FieldSet, b: FieldSet): boolean => {
  if (b.member && !a.member) return false;
  for (const [key, child] of b.children) if (!includes(a.children.get(key) ?? emptyFieldSet, child)) return false;
  return true;
};

const overlap = (a: FieldSet, b: FieldSet): boolean => {
  if (a.member && b.member) return true;
  for (const [key, child] of b.children) {
    const own = a.children.get(key);
    if (own && overlap(own, child)) return true;
  }
  return false;
};

// An unchanged set stays the same object: most writes do not change ownership, and its serialized form is cached.
export const union = (a: FieldSet, b: FieldSet): FieldSet => {
  if (includes(a, b)) return a;
  if (isEmptySet(a)) return b;
  return zip(a, b, { member: (x, y) => x || y, set: union });
};

/** Paths of `a` that are not themselves in `b`; children of a removed path stay. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => {
  if (!overlap(a, b)) return a;
  return zip(a, b, { member: (x, y) => x && !y, set: difference });
};

export const intersection = (a: FieldSet, b: FieldSet): FieldSet => {
  if (isEmptySet(a) || isEmptySet(b)) return emptyFieldSet;
  return zip(a, b, { member: (x, y) => x && y, set: intersection });
};

export const equalSets = (a: FieldSet, b: FieldSet): boolean =>
  a.member === b.member &&
  a.children.size === b.children.size &&
  [...a.children].every(([key, child]) => equalSets(child, b.children.get(key) ?? emptyFieldSet));

const read = new WeakMap<JsonObject, FieldSet>();
const written = new WeakMap<FieldSet, JsonObject>();

/** Reads metav1.FieldsV1. */
export const fromFieldsV1 = (fields: unknown): FieldSet => {
  if (!isObject(fields)) return emptyFieldSet;
  const set = read.get(fields) ?? parseFields(fields);
  read.set(fields, set);
  return set;
};

const parseFields = (fields: JsonObject): FieldSet => {
  const entries = Object.entries(fields);
  const children = entries
    .filter(([key]) => key !== '.')
    .map(([key, value]) => [key, childFromFieldsV1(value)] as const);
  return fieldSet('.' in fields, children);
};

const childFromFieldsV1 = (fields: unknown): FieldSet =>
  isObject(fields) && Object.keys(fields).length > 0 ? parseFields(fields) : memberFieldSet;

/** Writes metav1.FieldsV1: keys sorted, `.` only where a path with children is in the set too. */
export const toFieldsV1 = (set: FieldSet): JsonObject => {
  const fields = written.get(set) ?? writeFields(set);
  read.set(fields, set);
  written.set(set, fields);
  return fields;
};

const writeFields = (set: FieldSet): JsonObject => {
  const entries = [...set.children].sort(([a], [b]) => (a < b ? -1 : 1));
  const children = entries.map(([key, child]) => [key, writeFields(child)] as const);
  return Object.fromEntries(set.member && children.length > 0 ? [['.', {}] as const, ...children] : children);
};

const elementText = (element: string): string => {
  const content = element.slice(2);
  if (element.startsWith('f:')) return `.${content}`;
  if (element.startsWith('v:')) return `[=${content}]`;
  const keys = Object.entries(JSON.parse(content) as JsonObject).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  return `[${keys.join(',')}]`;
};

/** Every path of the set as kubectl prints it: `.spec.template.spec.containers[name="app"].image`. */
export const pathTexts = (set: FieldSet, prefix = ''): readonly string[] => [
  ...(set.member ? [prefix] : []),
  ...[...set.children].flatMap(([key, child]) => pathTexts(child, prefix + elementText(key))),
];
