import { isObject } from '../json.ts';
import type { StructuralSchema } from './structural-schema.ts';

const fieldSchema = (schema: StructuralSchema, name: string): StructuralSchema | undefined =>
  schema.properties?.[name] ??
  (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);

/** Fills in the schema's defaults; a null where null is not allowed counts as absent if there is a default. */
export const applyDefaults = (value: unknown, schema: StructuralSchema): unknown => {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => applyDefaults(item, items)) : value;
  }
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([name, child]) => {
    const property = fieldSchema(schema, name);
    return child !== null || property?.default === undefined || property.nullable === true;
  });
  const missing = Object.entries(schema.properties ?? {}).filter(
    ([name, property]) => property.default !== undefined && !present.some(([existing]) => existing === name),
  );
  const filled = [...present, ...missing.map(([name, property]) => [name, property.default] as const)];
  return Object.fromEntries(
    filled.map(([name, child]) => {
      const property = fieldSchema(schema, name);
      return [name, property ? applyDefaults(child, property) : child];
    }),
  );
};
