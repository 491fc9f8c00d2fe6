import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { MoRef } from '../wire/moref.ts';
import { array, type Value } from '../wire/schema.ts';
import { VirtualDevice, VirtualDisk, VirtualDiskFlatVer2BackingInfo } from '../wire/types/vm-device.ts';
import { wireTypes } from '../wire/wire-types.ts';

/** A disk of a VM. */
export interface VmDisk {
  /** The container volume it is; undefined for the VM's own disks. */
  readonly volumeId: string | undefined;
  /** As the guest sees it: lower case, no hyphens. Empty if vCenter does not tell. */
  readonly diskUuid: string;
  /** `[datastore] path.vmdk`. */
  readonly fileName: string;
}

/** What is attached to VMs now. */
export interface VmDisks {
  /** By MoRef value, in one call. VMs that are gone, or whose disks vCenter does not tell, are left out. */
  of(vms: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, readonly VmDisk[]>>;
}

const vmProperties = defineProperties('VirtualMachine', { 'config.hardware.device': array(VirtualDevice) });

const toDisk = (device: Value<typeof VirtualDevice>): readonly VmDisk[] => {
  if (!wireTypes.is(device, VirtualDisk)) return [];
  const { backing, vDiskId } = device;
  const flat = wireTypes.is(backing, VirtualDiskFlatVer2BackingInfo) ? backing : undefined;
  return [
    {
      volumeId: vDiskId?.id,
      diskUuid: (flat?.uuid ?? '').toLowerCase().replaceAll('-', ''),
      fileName: flat?.fileName ?? '',
    },
  ];
};

export const createVmDisks = (session: VimSession): VmDisks => ({
  of: async (vms, options = {}) => {
    if (vms.length === 0) return new Map();
    const collector = requireManager(await session.open(options), 'propertyCollector');
    const found = await retrieveObjects(
      session.vim,
      { properties: vmProperties, refs: vms },
      { ...options, collector, pageSize: 100 },
    );
    return new Map(
      found.flatMap(({ ref, values: { 'config.hardware.device': devices } }) =>
        devices ? [[ref.value, devices.flatMap(toDisk)] as const] : [],
      ),
    );
  },
});
