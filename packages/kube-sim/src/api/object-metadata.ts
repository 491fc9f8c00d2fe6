import type { AnyObject } from '@vdo/kube/types/object';
import { type FieldError, forbiddenField, invalidValue, required } from '../api-error.ts';
import { deepEqual, isObject, omit } from '../json.ts';
import { isDnsName } from '../strategies/core-strategies.ts';
import type { ResourceType } from '../strategies/resource-type.ts';

const nameErrors = (object: AnyObject, definition: ResourceType): readonly FieldError[] => {
  const { name = '' } = object.metadata;
  const rule = definition.strategy.nameRule ?? 'subdomain';
  if (name === '') return [required('metadata.name', 'name or generateName is required')];
  if (rule === 'path-segment')
    return /[/%]/.test(name) || name === '.' || name === '..'
      ? [invalidValue('metadata.name', name, "may not contain '/' or '%'")]
      : [];
  const what = rule === 'label' ? 'a lowercase RFC 1123 label' : 'a lowercase RFC 1123 subdomain';
  return isDnsName(name, rule)
    ? []
    : [
        invalidValue(
          'metadata.name',
          name,
          `${what} must consist of lower case alphanumeric characters, '-'${rule === 'label' ? '' : " or '.'"}, and must start and end with an alphanumeric character`,
        ),
      ];
};

const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const qualifiedName = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const mapErrors = (field: string, map: unknown, isValue: (value: string) => boolean): readonly FieldError[] => {
  if (map === undefined || map === null) return [];
  if (!isObject(map)) return [invalidValue(field, map, 'must be a map of strings')];
  return Object.entries(map).flatMap(([key, value]) => [
    ...(qualifiedName.test(key)
      ? []
      : [invalidValue(field, key, "name part must consist of alphanumeric characters, '-', '_' or '.'")]),
    ...(typeof value === 'string' && isValue(value) ? [] : [invalidValue(field, value, 'is not a valid value here')]),
  ]);
};

/** Problems of an object's metadata. */
export const metadataErrors = (
  object: AnyObject,
  before: AnyObject | undefined,
  definition: ResourceType,
): readonly FieldError[] => {
  const { metadata } = object;
  const owners = metadata.ownerReferences ?? [];
  const had = before?.metadata.finalizers ?? [];
  const added = (metadata.finalizers ?? []).filter((finalizer) => !had.includes(finalizer));
  const isLate = before?.metadata.deletionTimestamp !== undefined && added.length > 0;
  return [
    ...nameErrors(object, definition),
    ...mapErrors('metadata.labels', metadata.labels, (value) => value.length <= 63 && labelValue.test(value)),
    ...mapErrors('metadata.annotations', metadata.annotations, () => true),
    ...owners.flatMap((owner, index) =>
      (['apiVersion', 'kind', 'name', 'uid'] as const)
        .filter((field) => !owner[field])
        .map((field) => required(`metadata.ownerReferences[${index}].${field}`, 'must not be empty')),
    ),
    ...(owners.filter(({ controller }) => controller).length > 1
      ? [invalidValue('metadata.ownerReferences', owners, 'Only one reference can have Controller set to true')]
      : []),
    ...(isLate
      ? [
          forbiddenField(
            'metadata.finalizers',
            `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
          ),
        ]
      : []),
  ];
};

const serverOwned = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'resourceVersion',
] as const;

/** Takes what only the server writes from the stored object. */
export const keepServerMetadata = (object: AnyObject, before: AnyObject): AnyObject => {
  const metadata: Record<string, unknown> = { ...omit({ ...object.metadata }, ...serverOwned) };
  for (const field of serverOwned) if (before.metadata[field] !== undefined) metadata[field] = before.metadata[field];
  return { ...object, metadata: metadata as AnyObject['metadata'] };
};

/** Whether anything changed that metadata.generation counts: everything outside metadata and status. */
export const isNewGeneration = (object: AnyObject, before: AnyObject): boolean => {
  const counted = (value: AnyObject) => omit(value, 'apiVersion', 'kind', 'metadata', 'status');
  return !deepEqual(counted(object), counted(before));
};

const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** `generateName` plus five characters. */
export const generatedName = (prefix: string, random: () => number): string =>
  prefix + Array.from({ length: 5 }, () => suffixAlphabet[Math.floor(random() * suffixAlphabet.length)]).join('');
