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
/** A Secret holds 1 MiB, and base64 takes a third. */
const largestBytes = 700_000;

const keyOf = ({ name, namespace }: ObjectRef) => ({ name, ...(namespace === undefined ? {} : { namespace }) });

/** Where the manifests, the charts and upstream VDO put the drivers, and where they read their settings. */
const places: readonly ObjectRef[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', namespace: names.upstreamCsiNamespace, name: names.csiController },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: names.upstreamCsiNamespace, name: names.csiNode },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: names.systemNamespace, name: names.cpi },
  { apiVersion: 'apps/v1', kind: 'Deployment', namespace: names.systemNamespace, name: names.cpi },
  { apiVersion: 'v1', kind: 'Secret', namespace: names.upstreamCsiNamespace, name: upstreamNames.csiConfigSecret },
];

const rbac = 'rbac.authorization.k8s.io/v1';
/** The rights of the upstream manifests, which go when the drivers are taken over. */
const formerRights: readonly ObjectRef[] = [
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
 * Whether a workload stands where the operator neither finds nor writes it. Such a one is stopped before the operator's runs, on the
 * same port or socket, and runs again when that is gone: each by a step of its own.
 */
export const isElsewhere = (object: AnyObject): boolean =>
  phaseOf(refOf(object)) === 'workloads' && !usual.has(refKey(refOf(object)));

/** With everything optional, so that no name is missed. */
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
    // A release that does not know one of the settings is not installed either.
    if (isVdoError(error)) return [];
    throw error;
  }
};

/** Every object that the operator may write for this spec, whichever release it picks. Pure. */
export const writableRefs = (spec: VSphereDriversSpecInput, releases: readonly Release[]): readonly ObjectRef[] => {
  const full = atLarge(parseVSphereDrivers(resourceOf(spec)).spec);
  const all = [
    ...places,
    ...formerRights,
    ...releases.flatMap((release) => renderedRefs(full, release.driver, release)),
  ];
  return [...new Map(all.map((ref) => [refKey(ref), ref])).values()].filter(
    // Of what is never removed only namespaces get labels; definitions are large, and what they hold is nobody's to change.
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

/** Those of the objects that are there, as they are. */
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

/** Keeps the objects for the way back. Settings of drivers have passwords in them, hence a Secret. */
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
      message: `the ${objects.length} objects that would be kept for the way back take ${bytes} bytes, more than a Secret holds; nothing was changed`,
      remedy:
        'Keep them yourself with kubectl get -o yaml, remove large ConfigMaps of the drivers that nobody needs, and try again.',
    });
  await kube.apply(secrets, secret, { fieldManager: 'vdoctl', force: true, signal });
};

export const readBackup = async (kube: KubeClient, signal: AbortSignal): Promise<readonly AnyObject[]> => {
  const secret = await kube.find(secrets, recordKey, { signal });
  const text = secret?.data?.[dataKey];
  if (text !== undefined) return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString('utf8'));
  throw new VdoError({
    code: 'ConfigMissing',
    message: `Secret ${recordKey.namespace}/${recordKey.name}, which holds the objects as they were before the migration, is gone`,
    remedy:
      'Restore it from a backup of the cluster. Without it, apply the manifests of the former drivers again yourself.',
  });
};

export const removeBackup = async (kube: KubeClient, signal: AbortSignal): Promise<void> => {
  await kube.delete(secrets, recordKey, { signal });
};
