import type { StoreSnapshot } from '@vdo/kube-sim/store/store';

/** What stands for machines, disks and processes of the run that is over. */
const ofTheRun = new Set([
  'Pod',
  'Node',
  'CSINode',
  'Lease',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'VolumeAttachment',
  'VolumeIntent',
]);

/**
 * What a new sandbox takes from an earlier one: all that people and programs have described. Its vCenter starts anew, so
 * volumes whose disks are gone with the old one would only be in the way; controllers make new ones.
 */
export const continueSnapshot = ({ revision, buckets }: StoreSnapshot): StoreSnapshot => ({
  revision,
  buckets: Object.fromEntries(
    Object.entries(buckets).map(([name, objects]) => [name, objects.filter(({ kind }) => !ofTheRun.has(kind))]),
  ),
});
