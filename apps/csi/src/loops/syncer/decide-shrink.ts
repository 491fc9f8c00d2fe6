import { VdoError } from '@vdo/base/vdo-error';

/** Share of the PersistentVolumes that may be gone since the last look. */
const tolerated = 0.1;

/**
 * A cluster that has lost many PersistentVolumes since the last look, and whose deletion nobody saw, was probably restored from an older
 * backup or is a copy of another cluster. Then nothing may be concluded from what is missing.
 */
export const assertNotShrunk = (before: number | undefined, now: number, where: string): void => {
  if (before === undefined || now >= before * (1 - tolerated)) return;
  throw new VdoError({
    code: 'VolumesMissing',
    message: `the cluster has ${now} PersistentVolumes of this driver, ${before} at the last look: more than 10 % are gone`,
    remedy: `Nothing was changed in vCenter. If the cluster was restored from a backup, restore the rest. If it is right as it is: kubectl ${where}; the number is taken anew.`,
    details: { before, now },
  });
};
