import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { MoRef } from '../wire/moref.ts';
import { array, type Value } from '../wire/schema.ts';
import {
  VirtualDevice,
  VirtualDeviceFileBackingInfo,
  VirtualDisk,
  VirtualDiskFlatVer2BackingInfo,
  VirtualDiskLocalPMemBackingInfo,
  VirtualDiskRawDiskMappingVer1BackingInfo,
  VirtualDiskSeSparseBackingInfo,
  VirtualDiskSparseVer2BackingInfo,
} from '../wire/types/vm-device.ts';
import { wireTypes } from '../wire/wire-types.ts';
import { plainDiskUuid } from './disk-uuid.ts';

/** A disk of a VM. */
export interface VmDisk {
  /** The container volume it is; undefined for the VM's own disks. */
  readonly volumeId: string | undefined;
  /** As the guest sees it: lower case, no hyphens. Undefined if its backing has none: the guest cannot identify such a disk. */
  readonly diskUuid: string | undefined;
  /** `[datastore] path.vmdk`. */
  readonly fileName: string;
}

/** The disks that are attached to VMs now. */
export interface VmDisks {
  /** By MoRef value, in one call. VMs that no longer exist, or whose disks vCenter does not report, are omitted. */
  of(vms: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, readonly VmDisk[]>>;
}

const vmProperties = defineProperties('VirtualMachine', { 'config.hardware.device': array(VirtualDevice) });

/** Backings of the first version have no UUID. */
const uuidOf = (backing: unknown): string | undefined =>
  wireTypes.is(backing, VirtualDiskFlatVer2BackingInfo) ||
  wireTypes.is(backing, VirtualDiskSeSparseBackingInfo) ||
  wireTypes.is(backing, VirtualDiskSparseVer2BackingInfo) ||
  wireTypes.is(backing, VirtualDiskLocalPMemBackingInfo) ||
  wireTypes.is(backing, VirtualDiskRawDiskMappingVer1BackingInfo)
    ? plainDiskUuid(backing.uuid)
    : undefined;

const toDisk = (device: Value<typeof VirtualDevice>): readonly VmDisk[] => {
  if (!wireTypes.is(device, VirtualDisk)) return [];
  const { backing, vDiskId } = device;
  return [
    {
      volumeId: vDiskId?.id,
      diskUuid: uuidOf(backing),
      fileName: wireTypes.is(backing, VirtualDeviceFileBackingInfo) ? backing.fileName : '',
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
