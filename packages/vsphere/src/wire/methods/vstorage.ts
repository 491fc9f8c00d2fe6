import { array, defineMethod, optional, ref, string } from '../schema.ts';
import { ID } from '../types/common.ts';
import { VStorageObject } from '../types/vstorage.ts';

export const registerDisk = defineMethod('RegisterDisk', {
  namespace: 'urn:vim25',
  request: { _this: ref, path: string, name: optional(string) },
  response: VStorageObject,
});

export const retrieveVStorageObject = defineMethod('RetrieveVStorageObject', {
  namespace: 'urn:vim25',
  request: { _this: ref, id: ID, datastore: ref },
  response: VStorageObject,
});

export const listVStorageObject = defineMethod('ListVStorageObject', {
  namespace: 'urn:vim25',
  request: { _this: ref, datastore: ref },
  response: array(ID),
});

export const setVStorageObjectControlFlags = defineMethod('SetVStorageObjectControlFlags', {
  namespace: 'urn:vim25',
  request: { _this: ref, id: ID, datastore: ref, controlFlags: array(string) },
});

export const clearVStorageObjectControlFlags = defineMethod('ClearVStorageObjectControlFlags', {
  namespace: 'urn:vim25',
  request: { _this: ref, id: ID, datastore: ref, controlFlags: array(string) },
});

export const reconcileDatastoreInventoryTask = defineMethod('ReconcileDatastoreInventory_Task', {
  namespace: 'urn:vim25',
  request: { _this: ref, datastore: ref },
  response: ref,
});
