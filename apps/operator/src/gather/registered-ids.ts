import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { RegisteredVolume } from '../decisions/own-id.ts';
import type { PooledVCenter } from './vcenter-pool.ts';

const pageSize = 100;
/** All volumes of a cluster have the same ID: a sample is enough. */
const sampled = 20;

const volumeIdOf = ({ spec }: PersistentVolume): string => (spec.csi?.volumeHandle ?? '').replace(/^file:/, '');

/** The first volumes of the driver, on whichever page they are. */
const sampleVolumes = async (kube: KubeClient, signal: AbortSignal): Promise<readonly PersistentVolume[]> => {
  for await (const { items } of kube.pages(persistentVolumes, { limit: pageSize, signal })) {
    const found = items.filter(({ spec }) => spec.csi?.driver === names.csiDriver);
    if (found.length > 0) return found.slice(0, sampled);
  }
  return [];
};

const idsOf = ({ containerClusterIds, entities = [] }: CnsVolume): readonly string[] => [
  ...new Set([...containerClusterIds, ...entities.map(({ clusterId }) => clusterId)]),
];

/** The cluster IDs that vCenter records for volumes with a PersistentVolume in this cluster. Volumes unknown to all vCenters are left out. */
export const readRegisteredVolumes = async (
  kube: KubeClient,
  vcenters: readonly PooledVCenter[],
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly RegisteredVolume[]> => {
  const volumes = await sampleVolumes(kube, signal);
  if (volumes.length === 0) return [];
  const byId = new Map<string, readonly string[]>();
  for (const { cns } of vcenters)
    for await (const page of cns.volumePages({ volumeIds: volumes.map(volumeIdOf) }, { signal }))
      for (const volume of page) byId.set(volume.id, idsOf(volume));
  return volumes.flatMap((volume) => {
    const clusterIds = byId.get(volumeIdOf(volume));
    return clusterIds && clusterIds.length > 0 ? [{ name: volume.metadata.name ?? '', clusterIds }] : [];
  });
};
