import { isVdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { csiDrivers } from '@vdo/kube/types/storage';
import { deployments } from '@vdo/kube/types/workloads';
import { type Platform, plainKubernetes } from '../decisions/platform.ts';

const openShiftCloudNamespace = 'openshift-cloud-controller-manager';
const managedAnnotation = 'csi.openshift.io/managed';

const findResource = async (
  kube: KubeClient,
  apiVersion: string,
  kind: string,
  signal: AbortSignal,
): Promise<Resource<AnyObject> | undefined> => {
  try {
    return (await kube.resourceFor(apiVersion, kind, { signal })) as Resource<AnyObject>;
  } catch (error) {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  }
};

const storageManager = async (kube: KubeClient, signal: AbortSignal): Promise<string | undefined> => {
  const clusterDrivers = await findResource(kube, 'operator.openshift.io/v1', 'ClusterCSIDriver', signal);
  const cluster = clusterDrivers && (await kube.find(clusterDrivers, { name: names.csiDriver }, { signal }));
  const spec = cluster?.['spec'] as { readonly managementState?: string } | undefined;
  if (cluster && spec?.managementState !== 'Removed') return `ClusterCSIDriver ${names.csiDriver}`;
  const driver = await kube.find(csiDrivers, { name: names.csiDriver }, { signal });
  return driver?.metadata.annotations?.[managedAnnotation] === undefined
    ? undefined
    : `CSIDriver ${names.csiDriver} (annotation ${managedAnnotation})`;
};

const cloudManager = async (kube: KubeClient, signal: AbortSignal): Promise<string | undefined> => {
  const key = { namespace: openShiftCloudNamespace, name: names.cpi };
  const found = await kube.find(deployments, key, { signal });
  return found && `Deployment ${key.namespace}/${key.name}`;
};

/** Which platform this is, and which of the drivers it manages itself. */
export const detectPlatform = async (
  kube: KubeClient,
  { signal }: { readonly signal: AbortSignal },
): Promise<Platform> => {
  if (!(await findResource(kube, 'config.openshift.io/v1', 'ClusterVersion', signal))) return plainKubernetes;
  const [cpi, csi] = await Promise.all([cloudManager(kube, signal), storageManager(kube, signal)]);
  return { kind: 'OpenShift', managed: { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) } };
};
