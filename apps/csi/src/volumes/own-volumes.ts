import { VdoError } from '@vdo/base/vdo-error';
import type { Volume, VolumeService } from './volume.ts';

const foreign = (volume: Volume, clusterId: string): VdoError =>
  new VdoError({
    code: 'VolumeForeign',
    message: `volume ${volume.id} (${volume.name}) belongs to cluster ${volume.clusterIds.join(', ')}, but this is cluster ${clusterId}`,
    remedy: `Nothing was changed. If this cluster took over from ${volume.clusterIds[0]}, set csi.clusterId to that ID. Otherwise correct the volume handle.`,
    details: { volumeId: volume.id, clusterIds: volume.clusterIds },
  });

/** True for a volume that is registered by another cluster, and not by this one. */
export const isForeign = ({ clusterIds }: Volume, clusterId: string): boolean =>
  clusterIds.length > 0 && !clusterIds.includes(clusterId);

/** Throws VolumeForeign for a volume that is registered by another cluster, and not by this one. */
export const assertOwn = (volume: Volume, clusterId: string): void => {
  if (isForeign(volume, clusterId)) throw foreign(volume, clusterId);
};

const uncopyable = (volume: Volume, snapshotId: string | undefined, clusterId: string): VdoError =>
  new VdoError({
    code: 'VolumeForeign',
    message: `volume ${volume.id} (${volume.name}), which is to be copied, belongs to cluster ${volume.clusterIds.join(', ')}, but this is cluster ${clusterId}`,
    remedy:
      snapshotId === undefined
        ? `Nothing was copied: a copy needs a snapshot of the volume, and only its own cluster may take one. Create a VolumeSnapshot in that cluster and restore it here: see "Data of another cluster" in docs/guides/csi.md. If this cluster took over from ${volume.clusterIds[0]}, set csi.clusterId to that ID.`
        : `Nothing was copied. To allow this cluster to use the data, create a PersistentVolume with spec.csi.volumeHandle ${volume.id} and persistentVolumeReclaimPolicy Retain. The driver then retries automatically. If this cluster took over from ${volume.clusterIds[0]}, set csi.clusterId to that ID.`,
    details: { volumeId: volume.id, clusterIds: volume.clusterIds },
  });

/**
 * Throws VolumeForeign if the volume of another cluster may not be copied. A snapshot that its own cluster created may be copied if an
 * administrator allows it with a PersistentVolume. The volume itself is not copied, because a temporary snapshot would change it.
 */
export const assertMayCopy = (
  volume: Volume,
  snapshotId: string | undefined,
  { clusterId, isDeclared }: { readonly clusterId: string; readonly isDeclared: (volume: Volume) => boolean },
): void => {
  if (!isForeign(volume, clusterId)) return;
  if (snapshotId === undefined || !isDeclared(volume)) throw uncopyable(volume, snapshotId, clusterId);
};

/** Finds volumes that this cluster may change or use; those of other clusters are refused. */
export const createOwnVolumes = (
  volumes: Pick<VolumeService, 'find'>,
  clusterId: string,
): Pick<VolumeService, 'find'> => ({
  find: async (id, context) => {
    const volume = await volumes.find(id, context);
    if (volume) assertOwn(volume, clusterId);
    return volume;
  },
});
