import { VdoError } from '@vdo/base/vdo-error';
import { z } from 'zod';

/** OpenAPI v3 as CustomResourceDefinitions take it: no $ref, no nullable unions, no additionalProperties beside properties. */
export interface StructuralSchema {
  readonly [keyword: string]: unknown;
}

/** A CEL rule and where it holds: `spec.vcenters` or `` for the whole object. */
export interface ValidationRule {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
  readonly reason?: string;
}

// JSON Schema words that a structural schema does not know, or that mean nothing there.
const dropped = new Set([
  '$schema',
  'propertyNames',
  'additionalProperties',
  'id',
  'exclusiveMinimum',
  'exclusiveMaximum',
]);
const unsupported = ['anyOf', 'oneOf', 'allOf', 'not', '$ref', 'if'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const convertKeyword = (keyword: string, value: unknown, path: string): readonly [string, unknown] => {
  if (keyword === 'properties' && isObject(value))
    return [
      keyword,
      Object.fromEntries(Object.entries(value).map(([name, field]) => [name, convert(field, `${path}.${name}`)])),
    ];
  if (keyword === 'items') return [keyword, convert(value, `${path}[]`)];
  return [keyword, value];
};

const convert = (schema: unknown, path: string): StructuralSchema => {
  if (!isObject(schema)) return { 'x-kubernetes-preserve-unknown-fields': true };
  const refused = unsupported.find((keyword) => keyword in schema);
  if (refused) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `the schema at ${path} uses ${refused}, which a CRD does not support`,
      remedy: 'Describe the field with plain types and express the rest as a CEL rule.',
    });
  }
  const entries = Object.entries(schema)
    .filter(([keyword]) => !dropped.has(keyword))
    .map(([keyword, value]) => convertKeyword(keyword, value, path));
  const converted: Record<string, unknown> = Object.fromEntries(entries);
  // A map has values of one shape; a struct has properties. Kubernetes allows only one of the two.
  if (converted['properties'] === undefined && isObject(schema['additionalProperties'])) {
    converted['additionalProperties'] = convert(schema['additionalProperties'], `${path}.*`);
  }
  if (converted['type'] === 'integer') narrowInteger(converted);
  if (isObject(converted['default']))
    converted['default'] = completeDefault(converted['default'], converted['properties']);
  return converted;
};

// The API server checks a default against the CEL rules as it stands, before the defaults of its fields are filled in.
const completeDefault = (
  value: Readonly<Record<string, unknown>>,
  properties: unknown,
): Readonly<Record<string, unknown>> => {
  if (!isObject(properties)) return value;
  const nested = Object.entries(properties).flatMap(([name, field]) =>
    isObject(field) && 'default' in field ? [[name, field['default']]] : [],
  );
  return { ...Object.fromEntries(nested), ...value };
};

// z.int() carries JavaScript's safe-integer limits; they say nothing to a user of the API.
const narrowInteger = (schema: Record<string, unknown>): void => {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  schema['format'] = 'int64';
};

const addRule = (schema: StructuralSchema, steps: readonly string[], rule: ValidationRule): StructuralSchema => {
  const [step, ...rest] = steps;
  if (step === undefined) {
    const { fieldPath, message, reason } = rule;
    const validation = { rule: rule.rule, message, ...(fieldPath && { fieldPath }), ...(reason && { reason }) };
    return {
      ...schema,
      'x-kubernetes-validations': [
        ...((schema['x-kubernetes-validations'] as unknown[] | undefined) ?? []),
        validation,
      ],
    };
  }
  if (step === '[]') return { ...schema, items: addRule((schema['items'] ?? {}) as StructuralSchema, rest, rule) };
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, StructuralSchema>>;
  const child = properties[step];
  if (!child)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `CEL rule "${rule.rule}" applies to ${rule.path}, but there is no field ${step}`,
      remedy: 'Correct the path of the rule.',
    });
  return { ...schema, properties: { ...properties, [step]: addRule(child, rest, rule) } };
};

/** Turns a zod schema into a structural schema, with CEL rules put where they belong. Defaults and descriptions are kept. */
export const structuralSchema = (schema: z.ZodType, rules: readonly ValidationRule[] = []): StructuralSchema => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' });
  const steps = (path: string) =>
    path
      .replaceAll('[]', '.[]')
      .split('.')
      .filter((step) => step !== '');
  return rules.reduce((result, rule) => addRule(result, steps(rule.path), rule), convert(json, ''));
};
