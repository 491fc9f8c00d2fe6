import {
  type AnyOf,
  type ArrayField,
  anyOf,
  type Field,
  type ObjectType,
  type OptionalField,
} from '@vdo/vsphere/wire/schema';
import { managedType } from '../state/managed-types.ts';

/** Every property of a managed object type, inherited ones first. */
export const propertyNames = (type: string): readonly string[] => {
  const definition = managedType(type);
  return definition ? fieldNames(definition) : [];
};

const fieldNames = (type: ObjectType): readonly string[] => [
  ...(type.base ? fieldNames(type.base) : []),
  ...Object.keys(type.fields),
];

/** The wire type of the value at a property path of a managed object type; undefined if it is not known. */
export const fieldAt = (type: string, path: string): Field<unknown> | undefined => {
  let field: Field<unknown> | undefined = managedType(type);
  for (const segment of path.split(/\.(?![^[]*\])/)) {
    const [name = '', key] = segment.split('[', 2);
    const object: ObjectType | undefined = field && objectOf(field);
    if (!object) return field && ['any', 'named'].includes(leafOf(field).kind) ? field : undefined;
    field = memberOf(object, name);
    if (key !== undefined && field) field = leafOf(field);
  }
  return field;
};

/**
 * False for a path that no vCenter has. Data object types list here what the simulator sets, not all there is: below a
 * known property any name passes, and is unset.
 */
export const hasProperty = (type: string, path: string): boolean => {
  const [top = '', below] = path.split(/[.[]/, 2);
  const definition = managedType(type);
  const field = definition && memberOf(definition, top);
  return field !== undefined && (below === undefined || !['scalar', 'ref'].includes(leafOf(field).kind));
};

/** A value in the form for an `anyType` element. */
export const encodable = (field: Field<unknown> | undefined, value: unknown): unknown =>
  field === undefined || leafOf(field).kind === 'any' ? value : (anyOf(field, value) satisfies AnyOf);

const leafOf = (field: Field<unknown>): Field<unknown> =>
  field.kind === 'optional' || field.kind === 'array'
    ? leafOf((field as OptionalField<unknown> | ArrayField<unknown>).of)
    : field;

// Recursive types are known only by name, because no path inside them is requested.
const objectOf = (field: Field<unknown>): ObjectType | undefined => {
  const leaf = leafOf(field);
  return leaf.kind === 'object' ? (leaf as ObjectType) : undefined;
};

const memberOf = (type: ObjectType, name: string): Field<unknown> | undefined =>
  Object.hasOwn(type.fields, name) ? type.fields[name] : type.base && memberOf(type.base, name);
