import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VCenter } from '@vdo/vsphere/vcenter';

/** What the storage driver uses of a vCenter. */
export type CsiVCenter = VCenter &
  Pick<FullVCenter, 'volumes' | 'disks' | 'fileServices' | 'policies' | 'authorization' | 'firstClassDisks'>;
