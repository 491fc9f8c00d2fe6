import type { AnyObject } from '@vdo/kube/types/object';
import { type FieldError, invalidValue, required } from '../api-error.ts';
import { getIn, isObject, type JsonObject, objectOf } from '../json.ts';
import { labelSelectorMatcher } from '../selectors/label-selector.ts';
import { immutableFields } from './immutable.ts';
import { podSpecDefaults, podSpecErrors } from './pod-template.ts';
import type { Strategy } from './resource-type.ts';

const withTemplateDefaults = (object: AnyObject, defaults: JsonObject): AnyObject => {
  const spec = { ...defaults, ...objectOf(object['spec']) };
  const template = objectOf(spec['template']);
  if (!isObject(template['spec'])) return { ...object, spec };
  const templated = { metadata: {}, ...template, spec: podSpecDefaults(template['spec']) };
  return { ...object, spec: { ...spec, template: templated } };
};

const templateErrors = (object: AnyObject): readonly FieldError[] => {
  const selector = getIn(object, ['spec', 'selector']);
  const labels = objectOf(getIn(object, ['spec', 'template', 'metadata', 'labels'])) as Readonly<
    Record<string, string>
  >;
  if (!isObject(selector) || Object.keys(selector).length === 0) return [required('spec.selector')];
  if (!labelSelectorMatcher(selector)(labels))
    return [invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
  return podSpecErrors(objectOf(getIn(object, ['spec', 'template', 'spec'])), 'spec.template.spec');
};

const workload = (defaults: JsonObject): Strategy => ({
  hasGeneration: true,
  defaults: (object) => withTemplateDefaults(object, defaults),
  validate: (object, before) => [...templateErrors(object), ...immutableFields(object, before, ['spec.selector'])],
});

const rolling = (limits: JsonObject): JsonObject => ({ type: 'RollingUpdate', rollingUpdate: limits });

export const deploymentStrategy: Strategy = workload({
  replicas: 1,
  strategy: rolling({ maxSurge: '25%', maxUnavailable: '25%' }),
  revisionHistoryLimit: 10,
  progressDeadlineSeconds: 600,
});

export const replicaSetStrategy: Strategy = workload({ replicas: 1 });

export const daemonSetStrategy: Strategy = workload({
  updateStrategy: rolling({ maxSurge: 0, maxUnavailable: 1 }),
  revisionHistoryLimit: 10,
});

export const statefulSetStrategy: Strategy = workload({
  replicas: 1,
  podManagementPolicy: 'OrderedReady',
  updateStrategy: rolling({ partition: 0 }),
  revisionHistoryLimit: 10,
  persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
});

const mutablePodFields = ['nodeName', 'tolerations', 'activeDeadlineSeconds', 'terminationGracePeriodSeconds'];
const frozenPodSpec = (object: AnyObject): AnyObject => {
  const spec = Object.fromEntries(
    Object.entries(objectOf(object['spec']))
      .filter(([field]) => !mutablePodFields.includes(field))
      .map(([field, value]) => [field, field.endsWith('ontainers') ? withoutImages(value) : value]),
  );
  return { ...object, spec };
};
const withoutImages = (containers: unknown): unknown =>
  Array.isArray(containers) ? containers.map((container) => ({ ...objectOf(container), image: '' })) : containers;

export const podStrategy: Strategy = {
  hasGeneration: true,
  defaults: (object) => {
    const spec = podSpecDefaults(objectOf(object['spec']));
    return {
      ...object,
      spec: {
        serviceAccountName: 'default',
        enableServiceLinks: true,
        preemptionPolicy: 'PreemptLowerPriority',
        ...spec,
      },
    };
  },
  onCreate: (object) => ({ ...object, status: { phase: 'Pending', qosClass: 'BestEffort' } }),
  validate: (object, before) => [
    ...podSpecErrors(objectOf(object['spec']), 'spec'),
    ...immutableFields(
      frozenPodSpec(object),
      before && frozenPodSpec(before),
      ['spec'],
      'pod updates may not change fields other than `spec.containers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)',
    ),
  ],
  // A pod without a node need not wait for a kubelet.
  deletionGraceSeconds: (object, requested) => {
    const isRunning = getIn(object, ['spec', 'nodeName']) !== undefined && !isFinished(object);
    const wanted = requested ?? Number(getIn(object, ['spec', 'terminationGracePeriodSeconds']) ?? 30);
    return isRunning ? wanted : 0;
  },
};

const isFinished = (pod: AnyObject): boolean =>
  ['Succeeded', 'Failed'].includes(String(getIn(pod, ['status', 'phase'])));

export const disruptionBudgetStrategy: Strategy = { hasGeneration: true, needsResourceVersion: true };

const serviceSpec = (object: AnyObject): AnyObject => {
  const spec = objectOf(object['spec']);
  const ports = Array.isArray(spec['ports'])
    ? spec['ports'].map((port) => ({ protocol: 'TCP', targetPort: objectOf(port)['port'], ...objectOf(port) }))
    : undefined;
  return {
    ...object,
    spec: {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ...spec,
      ...(ports && { ports }),
    },
  };
};

const addressFields = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];

/** The address of a Service: given, none (headless) or generated. */
const serviceAddress = (spec: JsonObject, random: () => number): JsonObject => {
  if (spec['type'] === 'ExternalName') return {};
  const clusterIP = spec['clusterIP'] ?? `10.96.${Math.floor(random() * 256)}.${1 + Math.floor(random() * 254)}`;
  return { clusterIP, clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
};

export const serviceStrategy: Strategy = {
  hasGeneration: false,
  nameRule: 'label',
  createsOnUpdate: true,
  defaults: serviceSpec,
  onCreate: (object, { random }) => {
    const spec = objectOf(object['spec']);
    return { ...object, spec: { ...serviceAddress(spec, random), ...spec }, status: { loadBalancer: {} } };
  },
  // Clients that never read the address send none: it is kept.
  onUpdate: (object, before) => {
    const kept = addressFields.map((field) => [field, getIn(before, ['spec', field])] as const);
    const known = Object.fromEntries(kept.filter(([, value]) => value !== undefined));
    return { ...object, spec: { ...known, ...objectOf(object['spec']) } };
  },
  validate: (object) => {
    const { ports, clusterIP, type } = objectOf(object['spec']);
    const isPortless = ports === undefined && clusterIP !== 'None' && type !== 'ExternalName';
    return isPortless ? [required('spec.ports')] : [];
  },
};
