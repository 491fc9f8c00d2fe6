import {
  clearVStorageObjectControlFlags,
  listVStorageObject,
  reconcileDatastoreInventoryTask,
  registerDisk,
  retrieveVStorageObject,
  setVStorageObjectControlFlags,
} from '@vdo/vsphere/wire/methods/vstorage';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import { type Input, make, type Value } from '@vdo/vsphere/wire/schema';
import { BaseConfigInfoDiskFileBackingInfo, type VStorageObject } from '@vdo/vsphere/wire/types/vstorage';
import { diskAtUrl } from '../cns/disk-files.ts';
import type { Volume, VolumeStore } from '../cns/volume-store.ts';
import { faults } from '../sim-fault.ts';
import { type Call, handle, type MethodHandler } from '../soap/method-handler.ts';

const toObject = (disk: Volume): Input<Value<typeof VStorageObject>> => ({
  config: {
    id: { id: disk.id },
    name: disk.name,
    createTime: disk.createTime,
    keepAfterDeleteVm: disk.keepAfterDeleteVm,
    relocationDisabled: false,
    nativeSnapshotSupported: false,
    changedBlockTrackingEnabled: false,
    backing: make(BaseConfigInfoDiskFileBackingInfo, {
      datastore: disk.datastore,
      filePath: disk.path,
      provisioningType: 'thin',
    }),
    capacityInMB: disk.capacityMb,
    consumptionType: ['disk'],
    consumerId: disk.attachedTo ? [{ id: disk.attachedTo.vm.value }] : [],
  },
});

const fileName = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.vmdk$/, '');

/** The methods of vCenter's manager of first-class disks. */
export const vstorageMethods = (volumes: VolumeStore): readonly MethodHandler[] => {
  const managed = (datastore: MoRef): readonly Volume[] =>
    [...volumes.list(), ...volumes.disks()].filter(
      (disk) => disk.type === 'BLOCK' && disk.firstClass && morefKey(disk.datastore) === morefKey(datastore),
    );
  const onDatastore = (call: Call, datastore: MoRef, privilege: string): void => {
    if (!call.core.store.get(datastore)) throw faults.managedObjectNotFound(datastore);
    call.authorize(privilege, datastore);
  };
  const existing = (datastore: MoRef, id: string): Volume => {
    const disk = managed(datastore).find((candidate) => candidate.id === id);
    if (!disk) throw faults.notFound();
    return disk;
  };
  const change = (disk: Volume): void => (volumes.get(disk.id) ? volumes.put(disk) : volumes.putDisk(disk));

  /** Of the published flags only one has an effect here. */
  const setKeep = (
    { id, datastore, controlFlags }: { id: { id: string }; datastore: MoRef; controlFlags: readonly string[] },
    keepAfterDeleteVm: boolean,
    call: Call,
  ): undefined => {
    onDatastore(call, datastore, 'Datastore.FileManagement');
    const disk = existing(datastore, id.id);
    if (controlFlags.includes('keepAfterDeleteVm')) change({ ...disk, keepAfterDeleteVm });
    return undefined;
  };

  return [
    handle(registerDisk, ({ path: url, name }, call) => {
      const { datastore, path } = diskAtUrl(call.core, url, 'path');
      onDatastore(call, datastore, 'Datastore.FileManagement');
      const disk = volumes
        .disks()
        .find((file) => file.path === path && morefKey(file.datastore) === morefKey(datastore) && !file.firstClass);
      if (!disk) throw faults.invalidArgument('path');
      const registered = { ...disk, name: name ?? fileName(path), firstClass: true };
      volumes.putDisk(registered);
      return toObject(registered);
    }),

    handle(retrieveVStorageObject, ({ id, datastore }, call) => {
      onDatastore(call, datastore, 'System.Read');
      const disk = existing(datastore, id.id);
      if (disk.fileGone) throw faults.notFound();
      return toObject(disk);
    }),

    handle(listVStorageObject, ({ datastore }, call) => {
      onDatastore(call, datastore, 'System.Read');
      return managed(datastore).map(({ id }) => ({ id }));
    }),

    handle(setVStorageObjectControlFlags, (request, call) => setKeep(request, true, call)),
    handle(clearVStorageObjectControlFlags, (request, call) => setKeep(request, false, call)),

    handle(reconcileDatastoreInventoryTask, ({ datastore }, call) => {
      onDatastore(call, datastore, 'Datastore.FileManagement');
      return call.startTask(datastore, () => {
        for (const disk of managed(datastore)) if (disk.fileGone) volumes.removeDisk(disk.id);
      });
    }),
  ];
};
