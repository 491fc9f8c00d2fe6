import { snapshotGroup } from '../types/snapshots.ts';
import { groupOf, type ObjectRef, refKey } from './object-ref.ts';

/** In this order objects are applied; they are removed in the reverse order. */
export const phases = [
  'namespaces',
  'crds',
  'accounts',
  'configuration',
  'storage',
  'services',
  'workloads',
  'rest',
  'webhooks',
] as const;
export type Phase = (typeof phases)[number];

const phaseByKind: Readonly<Record<string, Phase>> = {
  '/Namespace': 'namespaces',
  'apiextensions.k8s.io/CustomResourceDefinition': 'crds',
  '/ServiceAccount': 'accounts',
  'rbac.authorization.k8s.io/ClusterRole': 'accounts',
  'rbac.authorization.k8s.io/ClusterRoleBinding': 'accounts',
  'rbac.authorization.k8s.io/Role': 'accounts',
  'rbac.authorization.k8s.io/RoleBinding': 'accounts',
  'scheduling.k8s.io/PriorityClass': 'configuration',
  '/ConfigMap': 'configuration',
  '/Secret': 'configuration',
  'storage.k8s.io/CSIDriver': 'storage',
  'storage.k8s.io/StorageClass': 'storage',
  '/Service': 'services',
  'apps/Deployment': 'workloads',
  'apps/DaemonSet': 'workloads',
  'apps/StatefulSet': 'workloads',
  'apps/ReplicaSet': 'workloads',
  'batch/Job': 'workloads',
  'batch/CronJob': 'workloads',
  '/Pod': 'workloads',
  // A webhook with failurePolicy Fail would refuse everything after it if its server did not run yet.
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': 'webhooks',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': 'webhooks',
};

const kindOf = ({ apiVersion, kind }: ObjectRef): string => `${groupOf(apiVersion)}/${kind}`;

export const phaseOf = (ref: ObjectRef): Phase => phaseByKind[kindOf(ref)] ?? 'rest';

/** Within a phase the given order is kept. */
export const inApplyOrder = <T>(items: readonly T[], refFor: (item: T) => ObjectRef): readonly T[] =>
  phases.flatMap((phase) => items.filter((item) => phaseOf(refFor(item)) === phase));

const keptKinds = new Set([
  '/Namespace',
  '/Node',
  '/PersistentVolume',
  '/PersistentVolumeClaim',
  'apiextensions.k8s.io/CustomResourceDefinition',
]);

/** Objects that are never deleted when they are no longer in the manifests, because data depends on them. */
export const isKept = (ref: ObjectRef): boolean =>
  keptKinds.has(kindOf(ref)) || groupOf(ref.apiVersion) === snapshotGroup;

/** StorageClasses are kept while volumes refer to them. */
export const isStorageClass = (ref: ObjectRef): boolean => kindOf(ref) === 'storage.k8s.io/StorageClass';

/** The elements of `refs` that are not in `present`. */
export const missingFrom = (refs: readonly ObjectRef[], present: readonly ObjectRef[]): readonly ObjectRef[] => {
  const keys = new Set(present.map(refKey));
  return refs.filter((ref) => !keys.has(refKey(ref)));
};
