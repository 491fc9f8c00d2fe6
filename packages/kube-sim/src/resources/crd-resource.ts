import type { AnyObject } from '@vdo/kube/types/object';
import { getIn, isObject, type JsonObject, listOf, objectOf, stringOf } from '../json.ts';
import { contentSchema, customObjectType, type StructuralSchema } from '../schema/structural-schema.ts';
import {
  bucketOf,
  type JsonPathColumn,
  type ResourceType,
  type ResourceVersion,
  type ScalePaths,
} from '../strategies/resource-type.ts';

const columnsOf = (version: JsonObject): readonly JsonPathColumn[] | undefined => {
  const given = version['additionalPrinterColumns'];
  return Array.isArray(given) ? (given as readonly JsonPathColumn[]) : undefined;
};

const versionOf = (version: JsonObject): ResourceVersion => {
  const given = getIn(version, ['schema', 'openAPIV3Schema']);
  const schema = isObject(given) ? contentSchema(given as StructuralSchema) : undefined;
  const scale = getIn(version, ['subresources', 'scale']);
  const columns = columnsOf(version);
  return {
    name: stringOf(version['name']),
    mergeType: customObjectType(schema),
    hasStatus: isObject(getIn(version, ['subresources', 'status'])),
    ...(schema ? { schema } : {}),
    ...(isObject(scale) ? { scale: scale as unknown as ScalePaths } : {}),
    ...(columns ? { columns } : {}),
    ...(version['deprecated'] === true
      ? { deprecationWarning: stringOf(version['deprecationWarning']) || 'deprecated' }
      : {}),
  };
};

// v2 before v1, v1 before v1beta2, v1beta2 before v1beta1, v1beta1 before v1alpha1, then the rest by name.
const rank = (name: string): readonly number[] => {
  const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name) ?? [];
  if (major === undefined) return [3, 0, 0];
  return [stage === undefined ? 0 : stage === 'beta' ? 1 : 2, -Number(major), -Number(minor ?? 0)];
};
const byPreference = (a: ResourceVersion, b: ResourceVersion): number => {
  const [left, right] = [rank(a.name), rank(b.name)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? a.name.localeCompare(b.name) : (left[at] ?? 0) - (right[at] ?? 0);
};

const texts = (value: unknown): readonly string[] => listOf(value).map(stringOf);

/** The resource that a CustomResourceDefinition serves. */
export const definitionOfCrd = (crd: AnyObject): ResourceType => {
  const spec = objectOf(crd['spec']);
  const names = objectOf(spec['names']);
  const [group, plural] = [stringOf(spec['group']), stringOf(names['plural'])];
  const served = listOf(spec['versions'])
    .map(objectOf)
    .filter((version) => version['served'] === true);
  const selectable = served.flatMap((version) =>
    listOf(version['selectableFields']).map((field) => stringOf(objectOf(field)['jsonPath'])),
  );
  return {
    group,
    plural,
    kind: stringOf(names['kind']),
    singular: stringOf(names['singular']),
    namespaced: spec['scope'] === 'Namespaced',
    shortNames: texts(names['shortNames']),
    categories: texts(names['categories']),
    versions: served.map(versionOf).sort(byPreference),
    bucket: bucketOf(group, plural),
    subresources: [],
    selectableFields: [...new Set(selectable.map((path) => path.replace(/^\./, '')))],
    strategy: { hasGeneration: true, needsResourceVersion: true },
    isCustom: true,
    isReview: false,
  };
};
