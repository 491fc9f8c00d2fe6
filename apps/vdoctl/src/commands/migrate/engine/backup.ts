import { gunzipSync, gzipSync } from 'node:zlib';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import type { VSphereDriversSpec, VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import { names, upstreamNames } from '@vdo/config/names';
import { type ObjectRef, refKey, refOf } from '@vdo/kube/apply/object-ref';
import { inApplyOrder, isKept, isStorageClass, phaseOf } from '@vdo/kube/apply/phases';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import type { DriverKind, Release } from '@vdo/releases/matrix';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { upstreamObjects } from '@vdo/releases/render/upstream/objects';
import { recordKey } from './record.ts';
import { resourceOf } from './resource-of.ts';

const dataKey = 'objects.json.gz';
/** A Secret can hold 1 MiB, and base64 makes the content a third larger. */
const largestBytes = 700_000;

const keyOf = ({ name, namespace }: ObjectRef) => ({ name, ...(namespace === undefined ? {} : { namespace }) });

/** Where the manifests, the charts and upstream VDO install the drivers and their settings. */
const places: readonly ObjectRef[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', namespace: names.upstreamCsiNamespace, name: names.csiController },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: names.upstreamCsiNamespace, name: names.csiNode },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: names.systemNamespace, name: names.cpi },
  { apiVersion: 'apps/v1', kind: 'Deployment', namespace: names.systemNamespace, name: names.cpi },
  { apiVersion: 'v1', kind: 'Secret', namespace: names.upstreamCsiNamespace, name: upstreamNames.csiConfigSecret },
];

const rbac = 'rbac.authorization.k8s.io/v1';
/** The RBAC objects of the upstream manifests, which are removed when the drivers are taken over. */
const upstreamRoles: readonly ObjectRef[] = [
  ...[upstreamObjects.cpiRole, upstreamObjects.csiControllerRole, upstreamObjects.csiNodeRole].map((name) => ({
    apiVersion: rbac,
    kind: 'ClusterRole',
    name,
  })),
  ...[upstreamObjects.cpiRole, upstreamObjects.csiControllerBinding, upstreamObjects.csiNodeBinding].map((name) => ({
    apiVersion: rbac,
    kind: 'ClusterRoleBinding',
    name,
  })),
  { apiVersion: rbac, kind: 'Role', namespace: names.upstreamCsiNamespace, name: upstreamObjects.csiNodeLocalRole },
  {
    apiVersion: rbac,
    kind: 'RoleBinding',
    namespace: names.upstreamCsiNamespace,
    name: upstreamObjects.csiNodeLocalBinding,
  },
];

const usual = new Set(places.map(refKey));

/**
 * Whether a workload has a name that the operator does not manage. Such a workload is stopped before the operator's drivers start, on the
 * same port or socket, and started again after they are removed: each by its own step.
 */
export const isElsewhere = (object: AnyObject): boolean =>
  phaseOf(refOf(object)) === 'workloads' && !usual.has(refKey(refOf(object)));

/** With all optional parts, so that no name is missed. */
const atLarge = (spec: VSphereDriversSpec): VSphereDriversSpec => ({
  ...spec,
  images: { ...spec.images, registry: spec.images.registry ?? 'registry.example' },
});

const renderedRefs = (spec: VSphereDriversSpec, driver: DriverKind, release: Release): readonly ObjectRef[] => {
  const accounts = spec.vcenters.map(({ server }) => ({ server, username: 'USER@DOMAIN', password: 'PASSWORD' }));
  const wanted = { ...spec, distribution: release.distribution };
  try {
    return renderDrivers({
      spec: wanted,
      releases: { [driver]: release },
      only: driver,
      accounts,
      driverAccounts: { cpi: accounts, csi: accounts },
      clusterIds: { ofCluster: 'any' },
      kubernetesVersion: 'v1.99.0',
    }).map(refOf);
  } catch (error) {
    // A release that does not support one of the settings is not installed either.
    if (isVdoError(error)) return [];
    throw error;
  }
};

/** Every object that the operator may write for this spec, for any release it may select. Pure. */
export const writableRefs = (spec: VSphereDriversSpecInput, releases: readonly Release[]): readonly ObjectRef[] => {
  const full = atLarge(parseVSphereDrivers(resourceOf(spec)).spec);
  const all = [
    ...places,
    ...upstreamRoles,
    ...releases.flatMap((release) => renderedRefs(full, release.driver, release)),
  ];
  return [...new Map(all.map((ref) => [refKey(ref), ref])).values()].filter(
    // Of the objects that are never removed, only namespaces get labels. CRDs are large and must not be restored.
    (ref) => (!isKept(ref) || ref.kind === 'Namespace') && !isStorageClass(ref),
  );
};

const findObject = async (kube: KubeClient, ref: ObjectRef, signal: AbortSignal): Promise<AnyObject | undefined> => {
  try {
    const resource = (await kube.resourceFor(ref.apiVersion, ref.kind, { signal })) as Resource<AnyObject>;
    const found = await kube.find(resource, keyOf(ref), { signal });
    return found && { ...found, apiVersion: ref.apiVersion, kind: ref.kind };
  } catch (error) {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  }
};

/** Those of the objects that exist, as they are now. */
export const readObjects = async (
  kube: KubeClient,
  refs: readonly ObjectRef[],
  signal: AbortSignal,
): Promise<readonly AnyObject[]> => {
  const found: AnyObject[] = [];
  for (const ref of refs) {
    const object = await findObject(kube, ref, signal);
    if (object) found.push(object);
  }
  return inApplyOrder(found, refOf);
};

const secretOf = (objects: readonly AnyObject[]) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...recordKey },
  type: 'Opaque',
  data: { [dataKey]: gzipSync(JSON.stringify(objects)).toString('base64') },
});

/** Stores the objects for undo. The settings of drivers contain passwords, so a Secret is used. */
export const writeBackup = async (
  kube: KubeClient,
  objects: readonly AnyObject[],
  signal: AbortSignal,
): Promise<void> => {
  const secret = secretOf(objects);
  const bytes = secret.data[dataKey]?.length ?? 0;
  if (bytes > largestBytes)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `the backup of ${objects.length} objects has ${bytes} bytes, which is too large for a Secret; nothing was changed`,
      remedy:
        'Save the ConfigMaps of the drivers with kubectl get -o yaml, delete large ones that are not needed, and try again.',
    });
  await kube.apply(secrets, secret, { fieldManager: 'vdoctl', force: true, signal });
};

export const readBackup = async (kube: KubeClient, signal: AbortSignal): Promise<readonly AnyObject[]> => {
  const secret = await kube.find(secrets, recordKey, { signal });
  const text = secret?.data?.[dataKey];
  if (text !== undefined) return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString('utf8'));
  throw new VdoError({
    code: 'ConfigMissing',
    message: `Secret ${recordKey.namespace}/${recordKey.name}, the backup of the objects before the migration, does not exist`,
    remedy:
      'Restore it from a backup of the cluster. If there is none, apply the manifests of the previous drivers yourself.',
  });
};

export const removeBackup = async (kube: KubeClient, signal: AbortSignal): Promise<void> => {
  await kube.delete(secrets, recordKey, { signal });
};
