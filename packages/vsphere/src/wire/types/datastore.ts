import { array, boolean, dateTime, defineType, int, long, optional, ref, string } from '../schema.ts';

export const HostMountInfo = defineType('HostMountInfo', {
  path: optional(string),
  accessMode: string,
  mounted: optional(boolean),
  accessible: optional(boolean),
  inaccessibleReason: optional(string),
  vmknicName: optional(string),
  vmknicActive: optional(boolean),
  mountFailedReason: optional(string),
  numTcpConnections: optional(int),
});

export const DatastoreHostMount = defineType('DatastoreHostMount', {
  key: ref,
  mountInfo: HostMountInfo,
});

export const DatastoreSummary = defineType('DatastoreSummary', {
  datastore: optional(ref),
  name: string,
  url: string,
  capacity: long,
  freeSpace: long,
  uncommitted: optional(long),
  accessible: boolean,
  multipleHostAccess: optional(boolean),
  type: string,
  maintenanceMode: optional(string),
});

export const DatastoreInfo = defineType(
  'DatastoreInfo',
  {
    name: string,
    url: string,
    freeSpace: long,
    maxFileSize: long,
    maxVirtualDiskCapacity: optional(long),
    maxMemoryFileSize: long,
    timestamp: optional(dateTime),
    containerId: optional(string),
    aliasOf: optional(string),
    supportedVDiskFormats: array(string),
    logicalSectorSize: optional(int),
    physicalSectorSize: optional(int),
  },
  { open: true },
);

export const DatastoreCapability = defineType('DatastoreCapability', {
  directoryHierarchySupported: boolean,
  rawDiskMappingsSupported: boolean,
  perFileThinProvisioningSupported: boolean,
  storageIORMSupported: boolean,
  nativeSnapshotSupported: boolean,
  topLevelDirectoryCreateSupported: optional(boolean),
  seSparseSupported: optional(boolean),
  vmfsSparseSupported: optional(boolean),
  vsanSparseSupported: optional(boolean),
  upitSupported: optional(boolean),
  vmdkExpandSupported: optional(boolean),
  clusteredVmdkSupported: optional(boolean),
});

export const HostFileSystemVolume = defineType(
  'HostFileSystemVolume',
  {
    type: string,
    name: string,
    capacity: long,
  },
  { open: true },
);

export const HostVmfsVolume = defineType(
  'HostVmfsVolume',
  {
    blockSizeMb: int,
    majorVersion: int,
    version: string,
    uuid: string,
    ssd: optional(boolean),
    local: optional(boolean),
  },
  { extends: HostFileSystemVolume },
);

export const HostNasVolume = defineType(
  'HostNasVolume',
  {
    remoteHost: string,
    remotePath: string,
    userName: optional(string),
  },
  { extends: HostFileSystemVolume },
);

export const VmfsDatastoreInfo = defineType(
  'VmfsDatastoreInfo',
  {
    maxPhysicalRDMFileSize: long,
    maxVirtualRDMFileSize: long,
    vmfs: optional(HostVmfsVolume),
  },
  { extends: DatastoreInfo },
);

export const NasDatastoreInfo = defineType(
  'NasDatastoreInfo',
  {
    nas: optional(HostNasVolume),
  },
  { extends: DatastoreInfo },
);

export const VsanDatastoreInfo = defineType(
  'VsanDatastoreInfo',
  {
    membershipUuid: optional(string),
    accessGenNo: optional(int),
  },
  { extends: DatastoreInfo },
);

export const LocalDatastoreInfo = defineType(
  'LocalDatastoreInfo',
  {
    path: optional(string),
  },
  { extends: DatastoreInfo },
);
