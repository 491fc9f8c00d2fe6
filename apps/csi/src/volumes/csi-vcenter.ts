import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VCenter } from '@vdo/vsphere/vcenter';

/** What the storage driver uses of a vCenter. */
export type CsiVCenter = VCenter &
  Pick<FullVCenter, 'disks' | 'fileServices' | 'policies' | 'authorization' | 'firstClassDisks' | 'inventory'>;

/** The vCenter that has something: what was found on one of them is asked of the same again. */
export const vcenterOf = (vcenters: readonly CsiVCenter[], { server }: { readonly server: string }): CsiVCenter => {
  const found = vcenters.find((vcenter) => vcenter.server === server);
  if (!found) throw new RangeError(`no vCenter ${server}`);
  return found;
};
