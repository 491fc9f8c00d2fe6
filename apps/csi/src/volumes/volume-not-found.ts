import { VdoError } from '@vdo/base/vdo-error';

/** For a volume that some request names and no vCenter has. */
export const volumeNotFound = (id: string): VdoError =>
  new VdoError({
    code: 'VolumeNotFound',
    message: `no configured vCenter has volume ${id}`,
    remedy: 'Check the volume handle of the PersistentVolume against the container volumes that vCenter lists.',
    // It may show up again: CNS builds its database anew, a datastore comes back.
    retry: 'backoff',
  });
