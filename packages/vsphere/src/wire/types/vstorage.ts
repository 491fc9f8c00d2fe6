import { array, boolean, dateTime, defineType, int, long, named, optional, ref, string } from '../schema.ts';
import { ID, KeyValue } from './common.ts';

export const BaseConfigInfoBackingInfo = defineType('BaseConfigInfoBackingInfo', { datastore: ref }, { open: true });

export const BaseConfigInfoFileBackingInfo = defineType(
  'BaseConfigInfoFileBackingInfo',
  {
    filePath: string,
    backingObjectId: optional(string),
    parent: optional(named<object>('BaseConfigInfoFileBackingInfo')),
    deltaSizeInMB: optional(long),
  },
  { extends: BaseConfigInfoBackingInfo, open: true },
);

export const BaseConfigInfoDiskFileBackingInfo = defineType(
  'BaseConfigInfoDiskFileBackingInfo',
  {
    provisioningType: string,
  },
  { extends: BaseConfigInfoFileBackingInfo },
);

export const BaseConfigInfo = defineType('BaseConfigInfo', {
  id: ID,
  name: string,
  createTime: dateTime,
  keepAfterDeleteVm: optional(boolean),
  relocationDisabled: optional(boolean),
  nativeSnapshotSupported: optional(boolean),
  changedBlockTrackingEnabled: optional(boolean),
  backing: BaseConfigInfoBackingInfo,
  metadata: array(KeyValue),
  iofilter: array(string),
});

export const VStorageObjectConfigInfo = defineType(
  'VStorageObjectConfigInfo',
  {
    descriptorVersion: optional(int),
    capacityInMB: long,
    consumptionType: array(string),
    consumerId: array(ID),
  },
  { extends: BaseConfigInfo },
);

export const VStorageObject = defineType('VStorageObject', { config: VStorageObjectConfigInfo });
