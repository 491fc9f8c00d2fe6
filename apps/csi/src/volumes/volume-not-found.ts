import { VdoError } from '@vdo/base/vdo-error';

/** For a volume in a request that no vCenter has. */
export const volumeNotFound = (id: string): VdoError =>
  new VdoError({
    code: 'VolumeNotFound',
    message: `no configured vCenter has volume ${id}`,
    remedy: 'Compare the volume handle of the PersistentVolume with the container volumes that vCenter lists.',
    // The volume may reappear, for example when CNS has rebuilt its database or a datastore is available again.
    retry: 'backoff',
  });

/** vCenter supports snapshots of disks only, and uses them for copies. */
export const notForShares = (volumeId: string, what: 'copied' | 'given a snapshot'): VdoError =>
  new VdoError({
    code: 'VolumeCapabilityUnsupported',
    message: `volume ${volumeId} is a file share, and vCenter does not support snapshots of file shares: it cannot be ${what}`,
    remedy: 'Copy the files with a pod that mounts both volumes, or use a volume with access mode ReadWriteOnce.',
  });
