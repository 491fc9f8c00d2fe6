import { VdoError } from '@vdo/base/vdo-error';

/** Share of the PersistentVolumes that may be gone since the last look. */
const tolerated = 0.1;
/** So many may be gone however few there are: a controller that is away for a moment misses a deletion. */
const toleratedAtLeast = 1;

/**
 * A cluster that has lost many PersistentVolumes since the last look, and whose deletion nobody saw, was probably restored from an older
 * backup or is a copy of another cluster. Then nothing may be concluded from what is missing.
 */
export const assertNotShrunk = (before: number | undefined, now: number, where: string): void => {
  if (before === undefined || before === 0) return;
  // None at all is what an empty cluster under the same id looks like.
  if (now > 0 && before - now <= Math.max(toleratedAtLeast, before * tolerated)) return;
  throw new VdoError({
    code: 'VolumesMissing',
    message: `the cluster has ${now} PersistentVolumes of this driver, ${before} at the last look: more than 10 % are gone`,
    remedy: `vCenter is told of what is there; nothing is taken from it, and no orphans are looked for. If the cluster was restored from a backup, restore the rest. If it is right as it is: kubectl ${where}; the number is taken anew.`,
    details: { before, now },
  });
};
