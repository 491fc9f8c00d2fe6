import { VdoError } from '@vdo/base/vdo-error';

/** vCenter takes snapshots of disks only, and copies by way of them. */
export const notForShares = (volumeId: string, what: 'copied' | 'given a snapshot'): VdoError =>
  new VdoError({
    code: 'VolumeCapabilityUnsupported',
    message: `volume ${volumeId} is a file share, and vCenter has no snapshots of file shares: it cannot be ${what}`,
    remedy: 'Copy the files with a pod that mounts both volumes, or use a volume with access mode ReadWriteOnce.',
  });
