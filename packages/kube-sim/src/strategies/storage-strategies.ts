import type { AnyObject } from '@vdo/kube/types/object';
import { type FieldError, forbiddenField, required } from '../api-error.ts';
import { deepEqual, getIn, listOf, objectOf, omit, stringOf } from '../json.ts';
import { immutableFields } from './immutable.ts';
import type { Strategy, StrategyContext } from './resource-type.ts';

const withSpec = (object: AnyObject, defaults: Readonly<Record<string, unknown>>): AnyObject => ({
  ...object,
  spec: { ...defaults, ...objectOf(object['spec']) },
});

const withFinalizer = (object: AnyObject, finalizer: string): AnyObject => {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
};

const defaultClassAnnotation = 'storageclass.kubernetes.io/is-default-class';

/** The newest class that is marked as default, as the admission plugin picks it. */
const defaultClass = ({ list }: StrategyContext): string | undefined =>
  [...list('storage.k8s.io/storageclasses')]
    .filter(({ metadata }) => metadata.annotations?.[defaultClassAnnotation] === 'true')
    .sort((a, b) => stringOf(b.metadata.creationTimestamp).localeCompare(stringOf(a.metadata.creationTimestamp)))[0]
    ?.metadata.name;

const frozenClaim = (object: AnyObject): unknown => {
  const spec = objectOf(object['spec']);
  return omit(spec, 'resources', 'volumeAttributesClassName');
};

const claimErrors = (object: AnyObject, before: AnyObject | undefined): readonly FieldError[] => {
  const missing = [
    ...(listOf(getIn(object, ['spec', 'accessModes'])).length > 0
      ? []
      : [required('spec.accessModes', 'at least 1 access mode is required')]),
    ...(getIn(object, ['spec', 'resources', 'requests', 'storage']) === undefined
      ? [required('spec.resources[storage]')]
      : []),
  ];
  // A controller may bind an unbound claim: volumeName goes from nothing to something once.
  const wasUnbound = before && getIn(before, ['spec', 'volumeName']) === undefined;
  const [now, old] = [object, before].map((claim) => (claim ? frozenClaim(claim) : undefined));
  const isChanged = before && !deepEqual(wasUnbound ? omit(objectOf(now), 'volumeName') : now, old);
  const frozen =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [...missing, ...(isChanged ? [forbiddenField('spec', frozen)] : [])];
};

export const claimStrategy: Strategy = {
  hasGeneration: false,
  defaults: (object) => withSpec(object, { volumeMode: 'Filesystem' }),
  onCreate: (object, context) => {
    const name = defaultClass(context);
    const isUnset = getIn(object, ['spec', 'storageClassName']) === undefined;
    const classed = isUnset && name !== undefined ? withSpec(object, { storageClassName: name }) : object;
    return { ...withFinalizer(classed, 'kubernetes.io/pvc-protection'), status: { phase: 'Pending' } };
  },
  validate: claimErrors,
};

const sources = ['csi', 'hostPath', 'local', 'nfs', 'vsphereVolume'];

export const volumeStrategy: Strategy = {
  hasGeneration: false,
  defaults: (object) => withSpec(object, { volumeMode: 'Filesystem', persistentVolumeReclaimPolicy: 'Retain' }),
  onCreate: (object) => ({ ...withFinalizer(object, 'kubernetes.io/pv-protection'), status: { phase: 'Pending' } }),
  validate: (object, before) => {
    const isChanged =
      before && sources.some((name) => !deepEqual(getIn(object, ['spec', name]), getIn(before, ['spec', name])));
    const source = 'spec.persistentvolumesource';
    return [
      ...(getIn(object, ['spec', 'capacity', 'storage']) === undefined ? [required('spec.capacity')] : []),
      ...(sources.some((name) => getIn(object, ['spec', name]) !== undefined)
        ? []
        : [required('spec', 'must specify a volume type')]),
      ...(isChanged ? [forbiddenField(source, `${source} is immutable after creation`)] : []),
    ];
  },
};

export const storageClassStrategy: Strategy = {
  hasGeneration: false,
  defaults: (object) => ({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', ...object }),
  validate: (object, before) => [
    ...(stringOf(object['provisioner']) === '' ? [required('provisioner')] : []),
    ...['provisioner', 'parameters', 'reclaimPolicy']
      .filter((field) => before && !deepEqual(object[field] ?? {}, before[field] ?? {}))
      .map((field) => forbiddenField(field, `updates to ${field} are forbidden.`)),
    ...immutableFields(object, before, ['volumeBindingMode']),
  ],
};

export const csiDriverStrategy: Strategy = {
  hasGeneration: true,
  defaults: (object) =>
    withSpec(object, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  validate: (object, before) => immutableFields(object, before, ['spec.attachRequired', 'spec.volumeLifecycleModes']),
};

export const attachmentStrategy: Strategy = {
  hasGeneration: false,
  needsResourceVersion: true,
  onCreate: (object) => ({ ...object, status: { attached: false } }),
  validate: (object, before) => [
    ...['attacher', 'nodeName', 'source']
      .filter((field) => getIn(object, ['spec', field]) === undefined)
      .map((field) => required(`spec.${field}`)),
    ...immutableFields(object, before, ['spec']),
  ],
};
