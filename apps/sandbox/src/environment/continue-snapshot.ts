import type { StoreSnapshot } from '@vdo/kube-sim/store/store';

/** Objects that describe machines, disks and processes of the ended run. */
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
 * The objects that a new sandbox takes over from an earlier one: everything that users and programs have configured. Its vCenter
 * starts empty, so volumes whose disks no longer exist are left out; controllers create new ones.
 */
export const continueSnapshot = ({ revision, buckets }: StoreSnapshot): StoreSnapshot => ({
  revision,
  buckets: Object.fromEntries(
    Object.entries(buckets).map(([name, objects]) => [name, objects.filter(({ kind }) => !ofTheRun.has(kind))]),
  ),
});
