import type { AnyObject } from '@vdo/kube/types/object';
import { type FieldError, forbiddenField, required } from '../api-error.ts';
import { deepEqual, getIn, listOf, objectOf, omit, setIn, stringOf } from '../json.ts';
import { immutableFields } from './immutable.ts';
import type { Strategy } from './resource-type.ts';

export const plainStrategy: Strategy = { hasGeneration: false };
export const specStrategy: Strategy = { hasGeneration: true };

export const namespaceStrategy: Strategy = {
  hasGeneration: false,
  nameRule: 'label',
  defaults: (object) =>
    setIn(object, ['metadata', 'labels', 'kubernetes.io/metadata.name'], object.metadata.name) as AnyObject,
  onCreate: (object) => ({ ...object, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }),
  // spec.finalizers change through the finalize subresource only.
  onUpdate: (object, before) => ({ ...object, spec: before['spec'] }),
};

const frozenData = (object: AnyObject, before: AnyObject | undefined): readonly FieldError[] => {
  if (before?.['immutable'] !== true) return [];
  return ['data', 'binaryData', 'immutable']
    .filter((field) => !deepEqual(object[field], before[field]))
    .map((field) => forbiddenField(field, 'field is immutable when `immutable` is set'));
};

export const configMapStrategy: Strategy = { hasGeneration: false, validate: frozenData };

export const secretStrategy: Strategy = {
  hasGeneration: false,
  defaults: (object) => {
    const plain = Object.entries(objectOf(object['stringData']));
    const encoded = plain.map(([key, value]) => [key, Buffer.from(stringOf(value)).toString('base64')] as const);
    const data = encoded.length > 0 ? { data: { ...objectOf(object['data']), ...Object.fromEntries(encoded) } } : {};
    return { type: 'Opaque', ...(omit(object, 'stringData') as AnyObject), ...data };
  },
  validate: (object, before) => [...frozenData(object, before), ...immutableFields(object, before, ['type'])],
};

export const nodeStrategy: Strategy = {
  hasGeneration: false,
  keepsStatusOnCreate: true,
  defaults: (object) => ({ ...object, spec: objectOf(object['spec']) }),
  validate: (object, before) => {
    const was = before && getIn(before, ['spec', 'providerID']);
    const isChanged = was !== undefined && was !== '' && was !== getIn(object, ['spec', 'providerID']);
    return isChanged
      ? [forbiddenField('spec.providerID', 'node updates may not change the provider ID once it is set')]
      : [];
  },
};

export const eventStrategy: Strategy = {
  hasGeneration: false,
  validate: (object) => {
    const place = objectOf(object['involvedObject'])['namespace'] ?? '';
    const isMisplaced = place !== '' && place !== object.metadata.namespace;
    return isMisplaced
      ? [
          {
            field: 'involvedObject.namespace',
            reason: 'FieldValueInvalid',
            message: `Invalid value: ${JSON.stringify(place)}: does not match event.namespace`,
          },
        ]
      : [];
  },
};

const isDns = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

export const leaseStrategy: Strategy = {
  hasGeneration: false,
  needsResourceVersion: true,
  createsOnUpdate: true,
  validate: (object) => {
    const seconds = getIn(object, ['spec', 'leaseDurationSeconds']);
    const isBad = typeof seconds === 'number' && seconds <= 0;
    return isBad
      ? [
          {
            field: 'spec.leaseDurationSeconds',
            reason: 'FieldValueInvalid',
            message: `Invalid value: ${seconds}: must be greater than 0`,
          },
        ]
      : [];
  },
};

export const roleStrategy: Strategy = {
  hasGeneration: false,
  nameRule: 'path-segment',
  createsOnUpdate: true,
  validate: (object) =>
    listOf(object['rules']).flatMap((rule, index) =>
      listOf(objectOf(rule)['verbs']).length > 0
        ? []
        : [required(`rules[${index}].verbs`, 'verbs must contain at least one value')],
    ),
};

const rbacGroup = 'rbac.authorization.k8s.io';

export const roleBindingStrategy: Strategy = {
  hasGeneration: false,
  nameRule: 'path-segment',
  createsOnUpdate: true,
  defaults: (object) => {
    const subjects = listOf(object['subjects']).map((subject) => {
      const given = objectOf(subject);
      return given['kind'] === 'ServiceAccount' ? given : { apiGroup: rbacGroup, ...given };
    });
    const roleRef = { apiGroup: rbacGroup, ...objectOf(object['roleRef']) };
    return { ...object, roleRef, ...(subjects.length > 0 ? { subjects } : {}) };
  },
  validate: (object, before) => [
    ...(stringOf(getIn(object, ['roleRef', 'name'])) === '' ? [required('roleRef.name')] : []),
    ...immutableFields(object, before, ['roleRef'], 'cannot change roleRef'),
  ],
};

/** True for names that are DNS labels or subdomains, up to their length. */
export const isDnsName = (name: string, rule: 'subdomain' | 'label'): boolean =>
  isDns.test(name) &&
  (rule === 'label' ? name.length <= 63 && !name.includes('.') : name.length <= 253) &&
  !name.includes('..');
