import type { AnyObject } from '@vdo/kube/types/object';
import { type FieldError, invalidValue, notSupported, required } from '../api-error.ts';
import { deepEqual, getIn, isObject, type JsonObject, listOf, objectOf, stringOf } from '../json.ts';
import { immutableFields } from './immutable.ts';
import type { Strategy } from './resource-type.ts';

const versionsOf = (crd: AnyObject): readonly JsonObject[] => listOf(getIn(crd, ['spec', 'versions'])).map(objectOf);

const nameDefaults = (names: JsonObject): JsonObject => {
  const kind = stringOf(names['kind']);
  return { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names };
};

/** Every part of a structural schema declares its type, or that any value is allowed. */
const schemaErrors = (schema: unknown, path: string): readonly FieldError[] => {
  if (!isObject(schema)) return [required(path)];
  const isTyped = schema['type'] !== undefined || schema['x-kubernetes-int-or-string'] === true;
  const isFree = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const own = isTyped || isFree ? [] : [required(`${path}.type`, 'must not be empty for specified object fields')];
  const properties = Object.entries(objectOf(schema['properties'])).flatMap(([name, property]) =>
    schemaErrors(property, `${path}.properties[${name}]`),
  );
  const items = schema['type'] === 'array' ? schemaErrors(schema['items'], `${path}.items`) : [];
  const rest = isObject(schema['additionalProperties'])
    ? schemaErrors(schema['additionalProperties'], `${path}.additionalProperties`)
    : [];
  return [...own, ...properties, ...items, ...rest];
};

const validateCrd = (crd: AnyObject): readonly FieldError[] => {
  const spec = objectOf(crd['spec']);
  const names = objectOf(spec['names']);
  const versions = versionsOf(crd);
  const wantedName = `${stringOf(names['plural'])}.${stringOf(spec['group'])}`;
  const stored = versions.filter((version) => version['storage'] === true).length;
  return [
    ...['group', 'names', 'scope', 'versions']
      .filter((field) => spec[field] === undefined)
      .map((field) => required(`spec.${field}`)),
    ...['plural', 'kind']
      .filter((field) => stringOf(names[field]) === '')
      .map((field) => required(`spec.names.${field}`)),
    ...(['Cluster', 'Namespaced'].includes(stringOf(spec['scope']))
      ? []
      : [notSupported('spec.scope', spec['scope'], ['Cluster', 'Namespaced'])]),
    ...(crd.metadata.name === wantedName
      ? []
      : [invalidValue('metadata.name', crd.metadata.name, `must be spec.names.plural+"."+spec.group`)]),
    ...(stored === 1
      ? []
      : [
          invalidValue(
            'spec.versions',
            versions.map(({ name }) => name),
            'must have exactly one version marked as storage version',
          ),
        ]),
    ...versions.flatMap((version, index) =>
      schemaErrors(getIn(version, ['schema', 'openAPIV3Schema']), `spec.versions[${index}].schema.openAPIV3Schema`),
    ),
  ];
};

const conditions = (now: string, existing: unknown): readonly JsonObject[] => {
  const wanted = [
    { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    },
  ];
  const known = listOf(existing).map(objectOf);
  const kept = known.filter(({ type }) => !wanted.some((condition) => condition.type === type));
  const timed = wanted.map((condition) => ({
    lastTransitionTime: known.find(({ type }) => type === condition.type)?.['lastTransitionTime'] ?? now,
    ...condition,
  }));
  return [...timed, ...kept];
};

/** A CRD is accepted and established immediately, because there are no conflicting names here. */
const established = (crd: AnyObject, now: string): AnyObject => {
  const storage = versionsOf(crd).find((version) => version['storage'] === true);
  const stored = listOf(getIn(crd, ['status', 'storedVersions']));
  const names = stringOf(storage?.['name']);
  const status = {
    ...objectOf(crd['status']),
    conditions: conditions(now, getIn(crd, ['status', 'conditions'])),
    acceptedNames: getIn(crd, ['spec', 'names']),
    storedVersions: stored.includes(names) ? stored : [...stored, names],
  };
  return deepEqual(status, crd['status']) ? crd : { ...crd, status };
};

export const crdStrategy: Strategy = {
  hasGeneration: true,
  needsResourceVersion: true,
  defaults: (crd) => {
    const spec = objectOf(crd['spec']);
    return {
      ...crd,
      spec: { conversion: { strategy: 'None' }, ...spec, names: nameDefaults(objectOf(spec['names'])) },
    };
  },
  onCreate: (crd, { now }) => established(crd, now),
  onUpdate: (crd, before, { now }) => established({ ...crd, status: before['status'] }, now),
  validate: (crd, before) => [
    ...validateCrd(crd),
    ...immutableFields(crd, before, ['spec.group', 'spec.scope', 'spec.names.plural', 'spec.names.kind']),
  ],
  finalizersOnDelete: () => ['customresourcecleanup.apiextensions.k8s.io'],
};
