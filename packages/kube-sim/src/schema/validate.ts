import { duplicate, type FieldError, invalidValue, notSupported, required } from '../api-error.ts';
import { itemElement } from '../apply/merge-type.ts';
import { deepEqual, isObject, type JsonObject } from '../json.ts';
import { mergeTypeOf, type StructuralSchema } from './structural-schema.ts';

const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
};

const isOfType = (value: unknown, type: string): boolean =>
  typeName(value) === type || (type === 'number' && typeof value === 'number');

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  byte: /^[A-Za-z0-9+/]*={0,2}$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  ipv4: /^(\d{1,3}\.){3}\d{1,3}$/,
  duration: /^-?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/,
};

const checkString = (value: string, schema: StructuralSchema, path: string): readonly FieldError[] => {
  const { minLength, maxLength, pattern, format } = schema;
  const problem = (detail: string) => invalidValue(path, value, `${path} in body ${detail}`);
  const length = [...value].length;
  return [
    ...(minLength !== undefined && length < minLength ? [problem(`should be at least ${minLength} chars long`)] : []),
    ...(maxLength !== undefined && length > maxLength ? [problem(`should be at most ${maxLength} chars long`)] : []),
    ...(pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? [problem(`should match '${pattern}'`)] : []),
    ...(format !== undefined && formats[format]?.test(value) === false
      ? [problem(`must be of type ${format}: ${JSON.stringify(value)}`)]
      : []),
  ];
};

const checkNumber = (value: number, schema: StructuralSchema, path: string): readonly FieldError[] => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const problem = (detail: string) => invalidValue(path, value, `${path} in body should be ${detail}`);
  const isLow = minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum);
  const isHigh = maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum);
  return [
    ...(isLow ? [problem(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`)] : []),
    ...(isHigh ? [problem(`less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`)] : []),
    ...(multipleOf !== undefined && value % multipleOf !== 0 ? [problem(`a multiple of ${multipleOf}`)] : []),
  ];
};

const checkList = (list: readonly unknown[], schema: StructuralSchema, path: string): readonly FieldError[] => {
  const { minItems, maxItems, items } = schema;
  const { list: merge } = mergeTypeOf(schema);
  const seen = new Set<string>();
  const repeated = list.flatMap((item, index) => {
    const element = merge === 'atomic' ? undefined : itemElement(item, merge);
    if (element === undefined) return [];
    if (seen.has(element)) return [duplicate(`${path}[${index}]`, item)];
    seen.add(element);
    return [];
  });
  return [
    ...(minItems !== undefined && list.length < minItems
      ? [invalidValue(path, list.length, `${path} in body should have at least ${minItems} items`)]
      : []),
    ...(maxItems !== undefined && list.length > maxItems
      ? [
          {
            field: path,
            reason: 'FieldValueTooMany',
            message: `Too many: ${list.length}: must have at most ${maxItems} items`,
          } as const,
        ]
      : []),
    ...repeated,
    ...(items ? list.flatMap((item, index) => validate(item, items, `${path}[${index}]`)) : []),
  ];
};

const checkObject = (object: JsonObject, schema: StructuralSchema, path: string): readonly FieldError[] => {
  const child = (name: string) => (path === '' ? name : `${path}.${name}`);
  const { additionalProperties: rest, minProperties, maxProperties } = schema;
  const count = Object.keys(object).length;
  const problem = (detail: string) => invalidValue(path, count, `${path} in body should have ${detail} properties`);
  return [
    ...(schema.required ?? []).filter((name) => object[name] === undefined).map((name) => required(child(name))),
    ...(minProperties !== undefined && count < minProperties ? [problem(`at least ${minProperties}`)] : []),
    ...(maxProperties !== undefined && count > maxProperties ? [problem(`at most ${maxProperties}`)] : []),
    ...Object.entries(object).flatMap(([name, value]) => {
      const property = schema.properties?.[name] ?? (typeof rest === 'object' ? rest : undefined);
      const place = schema.properties?.[name] ? child(name) : `${path}[${name}]`;
      return property ? validate(value, property, property === rest ? place : child(name)) : [];
    }),
  ];
};

const checkJunctors = (value: unknown, schema: StructuralSchema, path: string): readonly FieldError[] => {
  const passes = (candidate: StructuralSchema) => validate(value, candidate, path).length === 0;
  const problem = (detail: string) => invalidValue(path, value, `${path} in body ${detail}`);
  const { anyOf, oneOf, not } = schema;
  return [
    ...(schema.allOf ?? []).flatMap((part) => validate(value, part, path)),
    ...(anyOf && !anyOf.some(passes) ? [problem('must validate at least one schema (anyOf)')] : []),
    ...(oneOf && oneOf.filter(passes).length !== 1 ? [problem('must validate one and only one schema (oneOf)')] : []),
    ...(not && passes(not) ? [problem('must not validate the schema (not)')] : []),
  ];
};

const checkType = (value: unknown, schema: StructuralSchema, path: string): readonly FieldError[] => {
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  if (isIntOrString && ['integer', 'string'].includes(typeName(value))) return [];
  if (!isIntOrString && (schema.type === undefined || isOfType(value, schema.type))) return [];
  const wanted = isIntOrString ? 'integer,string' : schema.type;
  const shown = isObject(value) || Array.isArray(value) || value === null ? typeName(value) : value;
  const { message } = invalidValue(path, shown, `${path} in body must be of type ${wanted}: "${typeName(value)}"`);
  return [{ field: path, reason: 'FieldValueTypeInvalid', message }];
};

/** Every violation of a schema, in the words of a real server. CEL rules (x-kubernetes-validations) are not evaluated. */
export const validate = (value: unknown, schema: StructuralSchema, path = ''): readonly FieldError[] => {
  if (value === null && schema.nullable) return [];
  const mismatch = checkType(value, schema, path);
  if (mismatch.length > 0) return mismatch;
  if (schema.enum && !schema.enum.some((allowed) => deepEqual(allowed, value)))
    return [notSupported(path, value, schema.enum)];
  return [
    ...(typeof value === 'string' ? checkString(value, schema, path) : []),
    ...(typeof value === 'number' ? checkNumber(value, schema, path) : []),
    ...(Array.isArray(value) ? checkList(value, schema, path) : []),
    ...(isObject(value) ? checkObject(value, schema, path) : []),
    ...checkJunctors(value, schema, path),
  ];
};
