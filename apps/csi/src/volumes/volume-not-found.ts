import { VdoError } from '@vdo/base/vdo-error';

/** For a volume that some request names and no vCenter has. */
export const volumeNotFound = (id: string): VdoError =>
  new VdoError({
    code: 'VolumeNotFound',
    message: `no configured vCenter has volume ${id}`,
    remedy: 'Compare the volume handle of the PersistentVolume with the container volumes that vCenter lists.',
    // It may show up again: CNS builds its database anew, a datastore comes back.
    retry: 'backoff',
  });

/** vCenter takes snapshots of disks only, and copies by way of them. */
export const notForShares = (volumeId: string, what: 'copied' | 'given a snapshot'): VdoError =>
  new VdoError({
    code: 'VolumeCapabilityUnsupported',
    message: `volume ${volumeId} is a file share, and vCenter does not support snapshots of file shares: it cannot be ${what}`,
    remedy: 'Copy the files with a pod that mounts both volumes, or use a volume with access mode ReadWriteOnce.',
  });
