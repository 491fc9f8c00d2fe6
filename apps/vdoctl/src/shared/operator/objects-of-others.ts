import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { labelKeys, leaseNames, names } from '@vdo/config/names';
import { placesNote } from '@vdo/dashboard/source/places-note';
import { describeRef, refOf } from '@vdo/kube/apply/object-ref';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import { apiVersionOf, type Resource } from '@vdo/kube/types/resource';

/** Objects that the resource refers to, and that have no other use. */
export const namedBy = (resource: VSphereDrivers | undefined): ReadonlySet<string> => {
  const { vcenters = [], images, updates, cni } = resource?.spec ?? {};
  const documents = [updates?.matrix?.configMap?.name, cni?.manifest?.configMap?.name];
  return new Set([
    ...vcenters.map(({ credentialsSecret }) => `Secret ${credentialsSecret}`),
    ...(images?.pullSecrets ?? []).map((name) => `Secret ${name}`),
    ...documents.flatMap((name) => (name === undefined ? [] : [`ConfigMap ${name}`])),
  ]);
};

const notes = [
  names.csiClusterId,
  names.loginGuard,
  names.csiSyncReport,
  names.releaseHistory,
  names.inventory,
  names.keptMatrix,
  names.keptSpec,
  placesNote.name,
  names.cniInventory,
].map((name) => `ConfigMap ${name}`);
const leases = [names.operator, ...Object.values(leaseNames)].map((name) => `Lease ${name}`);
/** Objects that Kubernetes and OpenShift create in every namespace. */
const usual = [
  'ConfigMap kube-root-ca.crt',
  'ConfigMap openshift-service-ca.crt',
  ...['default', 'builder', 'deployer'].map((name) => `ServiceAccount ${name}`),
];
const expected: ReadonlySet<string> = new Set([...notes, ...leases, ...usual]);
/** Kinds that controllers write about other objects. */
const reports = new Set(['Event', 'Endpoints', 'EndpointSlice', 'PodMetrics', 'CSIStorageCapacity', 'VolumeIntent']);
const accountSecrets = new Set(['kubernetes.io/service-account-token', 'kubernetes.io/dockercfg']);

/** Whether an object in one of our namespaces belongs to others: not created by VDO or Kubernetes, and not referred to by the resource. */
const isOfOthers = (
  object: KubeObject & { readonly type?: unknown },
  { kind, named }: { readonly kind: string; readonly named: ReadonlySet<string> },
): boolean => {
  const { name = '', labels = {}, ownerReferences = [], deletionTimestamp } = object.metadata;
  const isOurs = labels[labelKeys.partOf] === 'vdo' || labels['app.kubernetes.io/managed-by'] === 'vdo';
  const isGoing = deletionTimestamp !== undefined || ownerReferences.length > 0;
  if (isOurs || isGoing || reports.has(kind)) return false;
  if (kind === 'RoleBinding' && name.startsWith('system:')) return false;
  if (kind === 'Secret' && accountSecrets.has(String(object.type))) return false;
  const key = `${kind} ${name}`;
  return !expected.has(key) && !named.has(key);
};

/** Objects of others in a namespace, as text; kinds that cannot be listed count too, because they may contain some. */
export const findObjectsOfOthers = async (
  kube: KubeClient,
  namespace: string,
  options: {
    readonly resources: readonly Resource[];
    readonly named: ReadonlySet<string>;
    readonly signal: AbortSignal;
  },
): Promise<readonly string[]> => {
  const { resources, named, signal } = options;
  const found: string[] = [];
  for (const resource of resources) {
    const { kind } = resource;
    if (reports.has(kind)) continue;
    try {
      const { items } = await kube.list(resource, { namespace, signal });
      const apiVersion = apiVersionOf(resource);
      for (const object of items)
        if (isOfOthers(object, { kind, named })) found.push(describeRef(refOf({ ...object, apiVersion, kind })));
    } catch (error) {
      signal.throwIfAborted();
      found.push(`${kind} objects, which cannot be listed (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  return found;
};
