import type { MoRef } from '@vdo/vsphere/wire/moref';
import { make } from '@vdo/vsphere/wire/schema';
import { NasDatastoreInfo, VmfsDatastoreInfo, VsanDatastoreInfo } from '@vdo/vsphere/wire/types/datastore';
import type { DatastoreModel } from '../model.ts';
import type { Datastore, TreeOf } from '../state/managed-types.ts';
import { entityTree } from './entity-tree.ts';

export interface DatastorePlace {
  readonly ref: MoRef;
  readonly parent: MoRef;
  readonly uuid: string;
  readonly hosts: readonly MoRef[];
  readonly vms: readonly MoRef[];
}

const gib = 1024n ** 3n;
const tib = 1024n ** 4n;

/** `ds:///vmfs/volumes/<id>/`: IDs of VMFS have four groups, those of vSAN start with `vsan:`. */
const urlOf = (type: DatastoreModel['type'], uuid: string): string => {
  const hex = uuid.replaceAll('-', '');
  const id = {
    VMFS: `${hex.slice(0, 8)}-${hex.slice(8, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
    vsan: `vsan:${hex.slice(0, 16)}-${hex.slice(16)}`,
    NFS: `${hex.slice(0, 8)}-${hex.slice(8, 16)}`,
  }[type];
  return `ds:///vmfs/volumes/${id}/`;
};

const infoOf = (
  model: DatastoreModel,
  base: { name: string; url: string; freeSpace: bigint; capacity: bigint; uuid: string },
) => {
  const { capacity, uuid, ...shared } = base;
  const common = {
    ...shared,
    maxFileSize: 62n * tib,
    maxVirtualDiskCapacity: 62n * tib,
    maxMemoryFileSize: 62n * tib,
    containerId: uuid,
    supportedVDiskFormats: [],
  };
  if (model.type === 'vsan') return make(VsanDatastoreInfo, { ...common, membershipUuid: uuid, accessGenNo: 0 });
  if (model.type === 'NFS')
    return make(NasDatastoreInfo, {
      ...common,
      nas: { type: 'NFS', name: model.name, capacity, remoteHost: 'nas.example', remotePath: `/${model.name}` },
    });
  return make(VmfsDatastoreInfo, {
    ...common,
    maxPhysicalRDMFileSize: 62n * tib,
    maxVirtualRDMFileSize: 62n * tib,
    vmfs: { type: 'VMFS', name: model.name, capacity, blockSizeMb: 1, majorVersion: 6, version: '6.82', uuid },
  });
};

export const datastoreTree = (model: DatastoreModel, place: DatastorePlace) => {
  const capacity = BigInt(model.capacityGb ?? 1024) * gib;
  const freeSpace = BigInt(model.freeGb ?? model.capacityGb ?? 1024) * gib;
  const url = urlOf(model.type, place.uuid);
  const accessible = model.accessible ?? true;
  const mountInfo = {
    path: url.slice('ds://'.length).replace(/\/$/, ''),
    accessMode: 'readWrite',
    mounted: true,
    accessible,
  };
  return {
    ...entityTree(model.name, place.parent),
    info: infoOf(model, { name: model.name, url, freeSpace, capacity, uuid: place.uuid }),
    summary: {
      datastore: place.ref,
      name: model.name,
      url,
      capacity,
      freeSpace,
      uncommitted: 0n,
      accessible,
      multipleHostAccess: place.hosts.length > 1,
      type: model.type,
      maintenanceMode: model.maintenance ? 'inMaintenance' : 'normal',
    },
    host: place.hosts.map((key) => ({ key, mountInfo })),
    vm: place.vms,
    capability: {
      directoryHierarchySupported: true,
      rawDiskMappingsSupported: model.type === 'VMFS',
      perFileThinProvisioningSupported: true,
      storageIORMSupported: true,
      nativeSnapshotSupported: false,
    },
  } satisfies TreeOf<typeof Datastore>;
};
