import { readAncestors } from '../inventory/ancestors.ts';
import { defineProperties, type PropertySet } from '../property/properties.ts';
import { type Retrieved, retrieveAtOnce, retrieveConverted } from '../property/retrieve.ts';
import type { Tagging } from '../rest/tagging.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { currentTime } from '../wire/methods/session.ts';
import { type MoRef, moref, morefKey } from '../wire/moref.ts';
import { array } from '../wire/schema.ts';
import { UserSession } from '../wire/types/service.ts';
import { VirtualDevice } from '../wire/types/vm-device.ts';
import type { DatastoreHealth, HealthReader, HostHealth, ScsiSlots, VmHealth } from './health-reader.ts';
import { datastoreHealthProperties, hostHealthProperties, toDatastoreHealth, toHostHealth } from './place-health.ts';
import { toScsiSlots, toVmHealth, vmHealthProperties } from './vm-health.ts';

const sessionProperties = defineProperties('SessionManager', { sessionList: array(UserSession) });
const deviceProperties = defineProperties('VirtualMachine', {
  'config.hardware.device': array(VirtualDevice),
});
const pageSize = 2500;
/** Properties of node VMs are small and are read often: so even large clusters need few calls … */
const vmBatchSize = 5000;
/** … but the devices of a VM take ten to twenty kilobytes. */
const devicePageSize = 1000;

/** The key of an object, and the facts about it; undefined if vCenter sends too little. */
type Entry<T> = readonly [string, T | undefined];
type Convert<P, T> = P extends PropertySet<infer V extends object> ? (object: Retrieved<V>) => T : never;

const defined = <T>(entries: readonly Entry<T>[]): ReadonlyMap<string, T> =>
  new Map(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));

/** `server`: name of the vCenter in the facts. */
export const createHealthReader = (session: VimSession, tagging: Tagging, server: string): HealthReader => {
  const read = async <V extends object, T>(
    request: {
      readonly properties: PropertySet<V>;
      readonly refs: readonly MoRef[];
      readonly convert: (object: Retrieved<V>) => T;
    },
    options: CallOptions & { readonly pageSize?: number },
  ): Promise<readonly T[]> => {
    const collector = requireManager(await session.open(options), 'propertyCollector');
    return retrieveConverted(session.vim, request, { pageSize, ...options, collector });
  };

  return {
    rootFolder: async (options = {}) => (await session.open(options)).content.rootFolder,
    clock: async (options = {}) => {
      const _this = moref('ServiceInstance', 'ServiceInstance');
      return (await session.vim.call(currentTime, { _this }, options)).getTime();
    },
    sessions: async (options = {}) => {
      const manager = requireManager(await session.open(options), 'sessionManager');
      const request = { properties: sessionProperties, refs: [manager] };
      const [list] = await read({ ...request, convert: ({ values }) => values.sessionList }, options);
      return list?.map(({ key, userName, userAgent, lastActiveTime }) => ({
        key,
        userName,
        userAgent,
        lastActiveMs: lastActiveTime.getTime(),
      }));
    },
    vms: async (refs, options = {}) => {
      const convert: Convert<typeof vmHealthProperties, Entry<VmHealth>> = ({ ref, values }) => [
        morefKey(ref),
        toVmHealth(server, ref, values),
      ];
      const collector = requireManager(await session.open(options), 'propertyCollector');
      const request = { properties: vmHealthProperties, refs, convert };
      return defined(await retrieveAtOnce(session.vim, request, { ...options, collector, batchSize: vmBatchSize }));
    },
    slots: async (refs, options = {}) => {
      const convert: Convert<typeof deviceProperties, Entry<ScsiSlots>> = ({ ref, values }) => {
        const devices = values['config.hardware.device'];
        return [morefKey(ref), devices && toScsiSlots(devices)];
      };
      const request = { properties: deviceProperties, refs, convert };
      return defined(await read(request, { ...options, pageSize: devicePageSize }));
    },
    hosts: async (refs, options = {}) => {
      const convert: Convert<typeof hostHealthProperties, Entry<HostHealth>> = ({ ref, values }) => [
        morefKey(ref),
        toHostHealth(server, ref, values),
      ];
      return defined(await read({ properties: hostHealthProperties, refs, convert }, options));
    },
    datastores: async (refs, options = {}) => {
      const convert: Convert<typeof datastoreHealthProperties, Entry<DatastoreHealth>> = ({ ref, values }) => [
        morefKey(ref),
        toDatastoreHealth(ref, values),
      ];
      return defined(await read({ properties: datastoreHealthProperties, refs, convert }, options));
    },
    unreadable: session.unreadable,
    ancestors: (refs, options = {}) => readAncestors(session, refs, options),
    tags: async (refs, options = {}) => {
      const attached = await tagging.attached(refs, options);
      const tags = await tagging.tags([...attached.values()].flat(), options);
      const names = await tagging.categories(
        [...tags.values()].map(({ categoryId }) => categoryId),
        options,
      );
      const describe = (id: string) => {
        const tag = tags.get(id);
        return tag ? [{ category: names.get(tag.categoryId) ?? '', tag: tag.name }] : [];
      };
      return new Map([...attached].map(([key, ids]) => [key, ids.flatMap(describe)]));
    },
    categories: async (options = {}) => {
      const ids = await tagging.categoryIds(options);
      return [...(await tagging.categories(ids, options)).values()];
    },
  };
};
