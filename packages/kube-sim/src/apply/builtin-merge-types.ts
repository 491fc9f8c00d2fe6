import { atomicType, deducedType, type ListMerge, type MergeType } from './merge-type.ts';

type Rule = ListMerge | 'map' | 'atomic-map' | { readonly keys: readonly string[]; readonly atomicItems: true };

const by = (...keys: readonly string[]): Rule => ({ keys, defaults: {} });
const byPort = (key: string): Rule => ({ keys: [key, 'protocol'], defaults: { protocol: 'TCP' } });
const references = (key: string): Rule => ({ keys: [key], atomicItems: true });

// From the listType, mapType and structType markers of k8s.io/api. A name alone suffices for most fields; `parent.name`
// is looked up first. What is not here is a struct's field, and its lists are replaced as a whole.
const rules: Readonly<Record<string, Rule>> = {
  'metadata.finalizers': 'set',
  ownerReferences: references('uid'),
  conditions: by('type'),
  labels: 'map',
  annotations: 'map',
  data: 'map',
  binaryData: 'map',
  stringData: 'map',
  parameters: 'map',
  limits: 'map',
  requests: 'map',
  capacity: 'map',
  allocatable: 'map',
  allocatedResources: 'map',
  allocatedResourceStatuses: 'map',
  overhead: 'map',
  volumeAttributes: 'map',
  attachmentMetadata: 'map',
  containers: by('name'),
  initContainers: by('name'),
  ephemeralContainers: by('name'),
  volumes: by('name'),
  env: by('name'),
  volumeMounts: by('mountPath'),
  volumeDevices: by('devicePath'),
  imagePullSecrets: references('name'),
  hostAliases: by('ip'),
  schedulingGates: by('name'),
  topologySpreadConstraints: by('topologyKey', 'whenUnsatisfiable'),
  'containers.ports': byPort('containerPort'),
  'initContainers.ports': byPort('containerPort'),
  'spec.ports': byPort('port'),
  'status.addresses': by('type'),
  'status.podIPs': by('ip'),
  'status.hostIPs': by('ip'),
  'spec.podCIDRs': 'set',
  'spec.drivers': by('name'),
  'spec.volumeLifecycleModes': 'set',
  secrets: references('name'),
  nodeSelector: 'atomic-map',
  selector: 'atomic-map',
  podSelector: 'atomic-map',
  namespaceSelector: 'atomic-map',
  labelSelector: 'atomic-map',
  nodeTopology: 'atomic-map',
  'nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution': 'atomic-map',
  'nodeAffinity.required': 'atomic-map',
  configMapKeyRef: 'atomic-map',
  secretKeyRef: 'atomic-map',
  fieldRef: 'atomic-map',
  resourceFieldRef: 'atomic-map',
  nodePublishSecretRef: 'atomic-map',
  roleRef: 'atomic-map',
  involvedObject: 'atomic-map',
  related: 'atomic-map',
  dataSource: 'atomic-map',
};

const structType = (name: string): MergeType => ({
  list: 'atomic',
  map: 'granular',
  field: (field) => ({ type: fieldType(name, field), named: true }),
  item: () => atomicType,
});

const typeOfRule = (name: string, rule: Rule): MergeType => {
  if (rule === 'map') return deducedType;
  if (rule === 'atomic-map') return atomicType;
  if (rule === 'atomic' || rule === 'set') return { ...structType(name), list: rule };
  if ('atomicItems' in rule) return { ...structType(name), list: { keys: rule.keys, defaults: {} } };
  return { ...structType(name), list: rule, item: () => structType(name) };
};

const fieldType = (parent: string, name: string): MergeType => {
  const rule = rules[`${parent}.${name}`] ?? rules[name];
  return rule ? typeOfRule(name, rule) : structType(name);
};

/** The type of a built-in kind's objects. */
export const builtinObjectType: MergeType = structType('');

/** The type of `metadata` in every object, custom resources included. */
export const metadataType: MergeType = structType('metadata');
