import { VdoError } from '@vdo/base/vdo-error';
import type { Volume, VolumeService } from './volume.ts';

const foreign = (volume: Volume, clusterId: string): VdoError =>
  new VdoError({
    code: 'VolumeForeign',
    message: `volume ${volume.id} (${volume.name}) belongs to cluster ${volume.clusterIds.join(', ')}, this one is ${clusterId}`,
    remedy: `Nothing was changed. If this cluster took over from ${volume.clusterIds[0]}, set csi.clusterId to that id; otherwise correct the volume handle.`,
    details: { volumeId: volume.id, clusterIds: volume.clusterIds },
  });

/** Throws VolumeForeign for a volume that another cluster has registered, and this one not. */
export const assertOwn = (volume: Volume, clusterId: string): void => {
  if (volume.clusterIds.length > 0 && !volume.clusterIds.includes(clusterId)) throw foreign(volume, clusterId);
};

/** Finds volumes that may be changed or used here: those of other clusters are refused. */
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
