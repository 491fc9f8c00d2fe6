import { isObject } from '../json.ts';
import { commonFields, type StructuralSchema } from './structural-schema.ts';

export interface Pruned {
  readonly value: unknown;
  /** Paths that were dropped. */
  readonly unknown: readonly string[];
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const childSchema = (schema: StructuralSchema, name: string): StructuralSchema | boolean => {
  const property = schema.properties?.[name];
  if (property) return property;
  if (schema['x-kubernetes-embedded-resource'] && commonFields.includes(name)) return true;
  if (typeof schema.additionalProperties === 'object') return schema.additionalProperties;
  return schema.additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
};

/** Drops fields that the schema does not know. */
export const prune = (value: unknown, schema: StructuralSchema, path = ''): Pruned => {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return { value, unknown: [] };
    const parts = value.map((item, index) => prune(item, items, `${path}[${index}]`));
    return { value: parts.map((part) => part.value), unknown: parts.flatMap((part) => part.unknown) };
  }
  if (!isObject(value)) return { value, unknown: [] };
  const unknown: string[] = [];
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const child = value[name];
    const known = childSchema(schema, name);
    if (known === false) unknown.push(join(path, name));
    else if (known === true) kept[name] = child;
    else {
      const part = prune(child, known, join(path, name));
      kept[name] = part.value;
      unknown.push(...part.unknown);
    }
  }
  return { value: kept, unknown };
};
