import { array, boolean, defineType, enumeration, int, long, optional, ref, string } from '../schema.ts';
import { Description, ID, KeyValue } from './common.ts';

export const VirtualDeviceBackingInfo = defineType('VirtualDeviceBackingInfo', {}, { open: true });

export const VirtualDeviceFileBackingInfo = defineType(
  'VirtualDeviceFileBackingInfo',
  {
    fileName: string,
    datastore: optional(ref),
    backingObjectId: optional(string),
  },
  { extends: VirtualDeviceBackingInfo, open: true },
);

export const VirtualDeviceDeviceBackingInfo = defineType(
  'VirtualDeviceDeviceBackingInfo',
  {
    deviceName: string,
    useAutoDetect: optional(boolean),
  },
  { extends: VirtualDeviceBackingInfo, open: true },
);

export const VirtualDeviceRemoteDeviceBackingInfo = defineType(
  'VirtualDeviceRemoteDeviceBackingInfo',
  {
    deviceName: string,
    useAutoDetect: optional(boolean),
  },
  { extends: VirtualDeviceBackingInfo, open: true },
);

export const VirtualDeviceConnectInfo = defineType('VirtualDeviceConnectInfo', {
  startConnected: boolean,
  allowGuestControl: boolean,
  connected: boolean,
  status: optional(string),
});

export const VirtualDevice = defineType(
  'VirtualDevice',
  {
    key: int,
    deviceInfo: optional(Description),
    backing: optional(VirtualDeviceBackingInfo),
    connectable: optional(VirtualDeviceConnectInfo),
    controllerKey: optional(int),
    unitNumber: optional(int),
  },
  { open: true },
);

export const VirtualController = defineType(
  'VirtualController',
  {
    busNumber: int,
    device: array(int),
  },
  { extends: VirtualDevice, open: true },
);

export const VirtualSCSIController = defineType(
  'VirtualSCSIController',
  {
    hotAddRemove: optional(boolean),
    sharedBus: enumeration('VirtualSCSISharing', 'noSharing', 'virtualSharing', 'physicalSharing'),
    scsiCtlrUnitNumber: optional(int),
  },
  { extends: VirtualController, open: true },
);

export const ParaVirtualSCSIController = defineType(
  'ParaVirtualSCSIController',
  {},
  { extends: VirtualSCSIController },
);

export const VirtualLsiLogicController = defineType(
  'VirtualLsiLogicController',
  {},
  { extends: VirtualSCSIController },
);

export const VirtualLsiLogicSASController = defineType(
  'VirtualLsiLogicSASController',
  {},
  { extends: VirtualSCSIController },
);

export const VirtualBusLogicController = defineType(
  'VirtualBusLogicController',
  {},
  { extends: VirtualSCSIController },
);

export const VirtualNVMEController = defineType(
  'VirtualNVMEController',
  {
    sharedBus: optional(string),
  },
  { extends: VirtualController },
);

export const VirtualSATAController = defineType(
  'VirtualSATAController',
  {},
  { extends: VirtualController, open: true },
);

export const VirtualAHCIController = defineType('VirtualAHCIController', {}, { extends: VirtualSATAController });

export const VirtualIDEController = defineType('VirtualIDEController', {}, { extends: VirtualController });

export const VirtualPCIController = defineType('VirtualPCIController', {}, { extends: VirtualController });

export const VirtualDisk = defineType(
  'VirtualDisk',
  {
    capacityInKB: long,
    capacityInBytes: optional(long),
    diskObjectId: optional(string),
    vDiskId: optional(ID),
  },
  { extends: VirtualDevice },
);

export const VirtualDiskFlatVer2BackingInfo = defineType(
  'VirtualDiskFlatVer2BackingInfo',
  {
    diskMode: string,
    split: optional(boolean),
    writeThrough: optional(boolean),
    thinProvisioned: optional(boolean),
    eagerlyScrub: optional(boolean),
    uuid: optional(string),
    contentId: optional(string),
    changeId: optional(string),
    sharing: optional(string),
  },
  { extends: VirtualDeviceFileBackingInfo },
);

/** Of a disk that is a thin delta of another. */
export const VirtualDiskSeSparseBackingInfo = defineType(
  'VirtualDiskSeSparseBackingInfo',
  {
    diskMode: string,
    writeThrough: optional(boolean),
    uuid: optional(string),
  },
  { extends: VirtualDeviceFileBackingInfo },
);

export const VirtualDiskSparseVer2BackingInfo = defineType(
  'VirtualDiskSparseVer2BackingInfo',
  {
    diskMode: string,
    split: optional(boolean),
    writeThrough: optional(boolean),
    spaceUsedInKB: optional(long),
    uuid: optional(string),
  },
  { extends: VirtualDeviceFileBackingInfo },
);

/** Persistent memory of the host. */
export const VirtualDiskLocalPMemBackingInfo = defineType(
  'VirtualDiskLocalPMemBackingInfo',
  {
    diskMode: string,
    uuid: optional(string),
  },
  { extends: VirtualDeviceFileBackingInfo },
);

/** A LUN that the VM uses directly. */
export const VirtualDiskRawDiskMappingVer1BackingInfo = defineType(
  'VirtualDiskRawDiskMappingVer1BackingInfo',
  {
    lunUuid: optional(string),
    deviceName: optional(string),
    compatibilityMode: optional(string),
    diskMode: optional(string),
    uuid: optional(string),
  },
  { extends: VirtualDeviceFileBackingInfo },
);

export const VirtualEthernetCard = defineType(
  'VirtualEthernetCard',
  {
    addressType: optional(string),
    macAddress: optional(string),
    wakeOnLanEnabled: optional(boolean),
    externalId: optional(string),
  },
  { extends: VirtualDevice, open: true },
);

export const VirtualVmxnet = defineType('VirtualVmxnet', {}, { extends: VirtualEthernetCard, open: true });

export const VirtualVmxnet3 = defineType(
  'VirtualVmxnet3',
  {
    uptv2Enabled: optional(boolean),
  },
  { extends: VirtualVmxnet, open: true },
);

export const VirtualE1000 = defineType('VirtualE1000', {}, { extends: VirtualEthernetCard });

export const VirtualE1000e = defineType('VirtualE1000e', {}, { extends: VirtualEthernetCard });

export const VirtualEthernetCardNetworkBackingInfo = defineType(
  'VirtualEthernetCardNetworkBackingInfo',
  {
    network: optional(ref),
    inPassthroughMode: optional(boolean),
  },
  { extends: VirtualDeviceDeviceBackingInfo },
);

export const DistributedVirtualSwitchPortConnection = defineType('DistributedVirtualSwitchPortConnection', {
  switchUuid: string,
  portgroupKey: optional(string),
  portKey: optional(string),
  connectionCookie: optional(int),
});

export const VirtualEthernetCardDistributedVirtualPortBackingInfo = defineType(
  'VirtualEthernetCardDistributedVirtualPortBackingInfo',
  {
    port: DistributedVirtualSwitchPortConnection,
  },
  { extends: VirtualDeviceBackingInfo },
);

export const VirtualCdrom = defineType('VirtualCdrom', {}, { extends: VirtualDevice });

export const VirtualMachineProfileSpec = defineType('VirtualMachineProfileSpec', {}, { open: true });

export const VirtualDeviceConfigSpec = defineType(
  'VirtualDeviceConfigSpec',
  {
    operation: optional(enumeration('VirtualDeviceConfigSpecOperation', 'add', 'remove', 'edit')),
    fileOperation: optional(enumeration('VirtualDeviceConfigSpecFileOperation', 'create', 'destroy', 'replace')),
    device: VirtualDevice,
    profile: array(VirtualMachineProfileSpec),
  },
  { open: true },
);

export const VirtualMachineProfileRawData = defineType('VirtualMachineProfileRawData', {
  extensionKey: string,
  objectData: optional(string),
});

export const VirtualMachineDefinedProfileSpec = defineType(
  'VirtualMachineDefinedProfileSpec',
  {
    profileId: string,
    profileData: optional(VirtualMachineProfileRawData),
    profileParams: array(KeyValue),
  },
  { extends: VirtualMachineProfileSpec },
);

export const VirtualMachineEmptyProfileSpec = defineType(
  'VirtualMachineEmptyProfileSpec',
  {},
  { extends: VirtualMachineProfileSpec },
);
