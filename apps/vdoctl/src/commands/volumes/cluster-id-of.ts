import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { readClusterIds } from '@vdo/gather/read-cluster-ids';
import type { KubeClient } from '@vdo/kube/client';

/** The ID under which vCenter lists the volumes of this cluster. */
export const clusterIdOf = async (
  kube: KubeClient,
  { spec }: VSphereDrivers,
  call: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<string> => {
  const { native, upstream, given } = await readClusterIds(kube, call);
  const id = spec.csi?.clusterId ?? native ?? upstream ?? given?.native ?? given?.upstream;
  if (id !== undefined) return id;
  throw new VdoError({
    code: 'ConfigMissing',
    message: 'the cluster ID is unknown: the storage driver has not run in this cluster yet',
    remedy: 'Wait until vdoctl status shows Healthy, then try again.',
  });
};
