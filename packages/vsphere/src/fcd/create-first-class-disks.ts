import { isVdoError } from '@vdo/base/vdo-error';
import { requireManager, storageTimeoutMs, type VimSession } from '../session/vim-session.ts';
import { fenced } from '../soap/fenced.ts';
import type { CallOptions, SoapCaller } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import {
  clearVStorageObjectControlFlags,
  listVStorageObject,
  reconcileDatastoreInventoryTask,
  registerDisk,
  retrieveVStorageObject,
  setVStorageObjectControlFlags,
} from '../wire/methods/vstorage.ts';
import type { MoRef } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import { BaseConfigInfoFileBackingInfo, type VStorageObject } from '../wire/types/vstorage.ts';
import { wireTypes } from '../wire/wire-types.ts';
import type { FirstClassDisk, FirstClassDisks } from './first-class-disks.ts';

const toDisk = ({ config }: Value<typeof VStorageObject>): FirstClassDisk => ({
  id: config.id.id,
  name: config.name,
  datastore: config.backing.datastore,
  path: wireTypes.is(config.backing, BaseConfigInfoFileBackingInfo) ? config.backing.filePath : '',
  capacityMb: config.capacityInMB,
  createTime: config.createTime,
  keepAfterDeleteVm: config.keepAfterDeleteVm ?? false,
  consumers: config.consumerId.map(({ id }) => id),
});

const isMissing = (error: unknown): boolean => isVdoError(error) && error.details?.['fault'] === 'NotFound';

export const createFirstClassDisks = (session: VimSession, tasks: TaskWaiter): FirstClassDisks => {
  // These calls go to /sdk, and take as long as other storage calls.
  const vim: SoapCaller = {
    call: (method, args, options) => session.vim.call(method, args, { timeoutMs: storageTimeoutMs, ...options }),
  };
  const manager = async (options: CallOptions): Promise<MoRef> =>
    requireManager(await session.open(options), 'vStorageObjectManager');

  return {
    register: async (path, name, options) => {
      const _this = await manager(options);
      return toDisk(await vim.call(registerDisk, { _this, path, name }, fenced(options)));
    },
    get: async (datastore, id, options = {}) => {
      const args = { _this: await manager(options), id: { id }, datastore };
      try {
        return toDisk(await vim.call(retrieveVStorageObject, args, options));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    list: async (datastore, options = {}) => {
      const ids = await vim.call(listVStorageObject, { _this: await manager(options), datastore }, options);
      return ids.map(({ id }) => id);
    },
    setKeepAfterDeleteVm: async ({ datastore, id }, keep, options) => {
      const args = { _this: await manager(options), id: { id }, datastore, controlFlags: ['keepAfterDeleteVm'] };
      await vim.call(keep ? setVStorageObjectControlFlags : clearVStorageObjectControlFlags, args, fenced(options));
    },
    reconcile: async (datastore, options) => {
      const _this = await manager(options);
      await tasks.wait(await vim.call(reconcileDatastoreInventoryTask, { _this, datastore }, fenced(options)), options);
    },
  };
};
