import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VCenter } from '@vdo/vsphere/vcenter';

/** The functions of a vCenter that the storage driver uses. */
export type CsiVCenter = VCenter &
  Pick<
    FullVCenter,
    'disks' | 'fileServices' | 'policies' | 'authorization' | 'firstClassDisks' | 'inventory' | 'health'
  >;

/** The vCenter with this server name: later calls for an object must go to the vCenter on which it was found. */
export const vcenterOf = (vcenters: readonly CsiVCenter[], { server }: { readonly server: string }): CsiVCenter => {
  const found = vcenters.find((vcenter) => vcenter.server === server);
  if (!found) throw new RangeError(`no vCenter ${server}`);
  return found;
};
