import { metadataType } from '../apply/builtin-merge-types.ts';
import { deducedType, type MergeType } from '../apply/merge-type.ts';
import { type JsonObject, objectOf } from '../json.ts';

/** The OpenAPI v3 subset that a CustomResourceDefinition may hold. */
export interface StructuralSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
}

const listMerge = (schema: StructuralSchema): MergeType['list'] => {
  if (schema['x-kubernetes-list-type'] === 'set') return 'set';
  if (schema['x-kubernetes-list-type'] !== 'map') return 'atomic';
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const properties = schema.items?.properties ?? {};
  const defaults = keys
    .map((key) => [key, properties[key]?.default] as const)
    .filter(([, value]) => value !== undefined);
  return { keys, defaults: Object.fromEntries(defaults) };
};

/** How values of a schema merge. */
export const mergeTypeOf = (schema: StructuralSchema | undefined): MergeType => {
  if (!schema) return deducedType;
  const { additionalProperties } = schema;
  const rest = mergeTypeOf(typeof additionalProperties === 'object' ? additionalProperties : undefined);
  return {
    list: listMerge(schema),
    map: schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular',
    field: (name) => {
      const property = schema.properties?.[name];
      return property ? { type: mergeTypeOf(property), named: true } : { type: rest, named: false };
    },
    item: () => mergeTypeOf(schema.items),
  };
};

/** How whole custom resources merge: their metadata as everywhere, the rest by schema. */
export const customObjectType = (schema: StructuralSchema | undefined): MergeType => {
  const content = mergeTypeOf(schema);
  return {
    ...content,
    map: 'granular',
    field: (name) => (name === 'metadata' ? { type: metadataType, named: true } : content.field(name)),
  };
};

/** Fields that every object has, whatever its schema says. */
export const commonFields: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** A schema's own properties without the common ones: the server treats those itself. */
export const contentSchema = (schema: StructuralSchema): StructuralSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(objectOf(schema.properties) as Readonly<Record<string, StructuralSchema>>).filter(
      ([name]) => !commonFields.includes(name),
    ),
  ),
});

export const splitCommon = (object: JsonObject): { readonly common: JsonObject; readonly content: JsonObject } => {
  const common: Record<string, unknown> = {};
  const content: Record<string, unknown> = {};
  for (const name of Object.keys(object)) (commonFields.includes(name) ? common : content)[name] = object[name];
  return { common, content };
};
