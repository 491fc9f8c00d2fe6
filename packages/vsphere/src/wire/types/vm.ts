import {
  array,
  boolean,
  dateTime,
  defineType,
  enumeration,
  int,
  long,
  named,
  optional,
  ref,
  string,
  type Typed,
} from '../schema.ts';
import { OptionValue } from './common.ts';
import { VirtualDevice, VirtualDeviceConfigSpec, VirtualMachineProfileSpec } from './vm-device.ts';

export const VirtualMachineFileInfo = defineType('VirtualMachineFileInfo', {
  vmPathName: optional(string),
  snapshotDirectory: optional(string),
  suspendDirectory: optional(string),
  logDirectory: optional(string),
});

export const VirtualMachineFlagInfo = defineType('VirtualMachineFlagInfo', {
  snapshotLocked: optional(boolean),
  diskUuidEnabled: optional(boolean),
});

export const VirtualHardware = defineType('VirtualHardware', {
  numCPU: int,
  numCoresPerSocket: optional(int),
  memoryMB: int,
  device: array(VirtualDevice),
});

export const VirtualMachineConfigInfo = defineType('VirtualMachineConfigInfo', {
  changeVersion: string,
  modified: dateTime,
  name: string,
  guestFullName: string,
  version: string,
  uuid: string,
  createDate: optional(dateTime),
  instanceUuid: optional(string),
  template: boolean,
  guestId: string,
  annotation: optional(string),
  files: VirtualMachineFileInfo,
  flags: VirtualMachineFlagInfo,
  hardware: VirtualHardware,
  extraConfig: array(OptionValue),
  changeTrackingEnabled: optional(boolean),
  firmware: optional(string),
});

export const VirtualMachineRuntimeInfo = defineType('VirtualMachineRuntimeInfo', {
  host: optional(ref),
  connectionState: enumeration(
    'VirtualMachineConnectionState',
    'connected',
    'disconnected',
    'orphaned',
    'inaccessible',
    'invalid',
  ),
  powerState: enumeration('VirtualMachinePowerState', 'poweredOff', 'poweredOn', 'suspended'),
  toolsInstallerMounted: boolean,
  suspendTime: optional(dateTime),
  bootTime: optional(dateTime),
  maxCpuUsage: optional(int),
  maxMemoryUsage: optional(int),
  consolidationNeeded: boolean,
});

export const VirtualMachineGuestSummary = defineType('VirtualMachineGuestSummary', {
  guestId: optional(string),
  guestFullName: optional(string),
  toolsStatus: optional(
    enumeration('VirtualMachineToolsStatus', 'toolsNotInstalled', 'toolsNotRunning', 'toolsOld', 'toolsOk'),
  ),
  toolsVersionStatus: optional(string),
  toolsVersionStatus2: optional(string),
  toolsRunningStatus: optional(string),
  hostName: optional(string),
  ipAddress: optional(string),
  hwVersion: optional(string),
});

export const VirtualMachineConfigSummary = defineType('VirtualMachineConfigSummary', {
  name: string,
  template: boolean,
  vmPathName: string,
  memorySizeMB: optional(int),
  cpuReservation: optional(int),
  memoryReservation: optional(int),
  numCpu: optional(int),
  numEthernetCards: optional(int),
  numVirtualDisks: optional(int),
  uuid: optional(string),
  instanceUuid: optional(string),
  guestId: optional(string),
  guestFullName: optional(string),
  annotation: optional(string),
  hwVersion: optional(string),
});

export const VirtualMachineStorageSummary = defineType('VirtualMachineStorageSummary', {
  committed: long,
  uncommitted: long,
  unshared: long,
  timestamp: dateTime,
});

export const VirtualMachineQuickStats = defineType('VirtualMachineQuickStats', {
  overallCpuUsage: optional(int),
  guestMemoryUsage: optional(int),
  hostMemoryUsage: optional(int),
  guestHeartbeatStatus: enumeration('ManagedEntityStatus', 'gray', 'green', 'yellow', 'red'),
  uptimeSeconds: optional(int),
});

export const VirtualMachineSummary = defineType('VirtualMachineSummary', {
  vm: optional(ref),
  runtime: VirtualMachineRuntimeInfo,
  guest: optional(VirtualMachineGuestSummary),
  config: VirtualMachineConfigSummary,
  storage: optional(VirtualMachineStorageSummary),
  quickStats: VirtualMachineQuickStats,
  overallStatus: enumeration('ManagedEntityStatus', 'gray', 'green', 'yellow', 'red'),
});

export const VirtualMachineSnapshotTree = defineType('VirtualMachineSnapshotTree', {
  snapshot: ref,
  vm: ref,
  name: string,
  description: string,
  id: int,
  createTime: dateTime,
  state: enumeration('VirtualMachinePowerState', 'poweredOff', 'poweredOn', 'suspended'),
  quiesced: boolean,
  childSnapshotList: array(named<Typed>('VirtualMachineSnapshotTree')),
});

export const VirtualMachineSnapshotInfo = defineType('VirtualMachineSnapshotInfo', {
  currentSnapshot: optional(ref),
  rootSnapshotList: array(VirtualMachineSnapshotTree),
});

export const VirtualMachineConfigSpec = defineType('VirtualMachineConfigSpec', {
  name: optional(string),
  version: optional(string),
  uuid: optional(string),
  instanceUuid: optional(string),
  guestId: optional(string),
  annotation: optional(string),
  files: optional(VirtualMachineFileInfo),
  flags: optional(VirtualMachineFlagInfo),
  numCPUs: optional(int),
  numCoresPerSocket: optional(int),
  memoryMB: optional(long),
  deviceChange: array(VirtualDeviceConfigSpec),
  extraConfig: array(OptionValue),
  changeTrackingEnabled: optional(boolean),
  vmProfile: array(VirtualMachineProfileSpec),
});
