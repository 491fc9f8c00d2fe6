import { readAncestors } from '../inventory/ancestors.ts';
import { defineProperties, type PropertySet } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import type { Tagging } from '../rest/tagging.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { currentTime } from '../wire/methods/session.ts';
import { type MoRef, moref, morefKey } from '../wire/moref.ts';
import { array, string } from '../wire/schema.ts';
import { UserSession } from '../wire/types/service.ts';
import { VirtualDevice } from '../wire/types/vm-device.ts';
import type { HealthReader } from './health-reader.ts';
import { datastoreHealthProperties, hostHealthProperties, toDatastoreHealth, toHostHealth } from './place-health.ts';
import { hardwareVersionOf, toScsiSlots, toVmHealth, vmHealthProperties } from './vm-health.ts';

const sessionProperties = defineProperties('SessionManager', { sessionList: array(UserSession) });
const deviceProperties = defineProperties('VirtualMachine', {
  'config.version': string,
  'config.hardware.device': array(VirtualDevice),
});
/** Small properties, so that even large clusters take few calls … */
const pageSize = 2500;
/** … while a VM's devices weigh ten to twenty kilobytes. */
const devicePageSize = 1000;

const defined = <T>(entries: readonly (readonly [string, T | undefined])[]): ReadonlyMap<string, T> =>
  new Map(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));

/** `server` is what facts name as theirs. */
export const createHealthReader = (session: VimSession, tagging: Tagging, server: string): HealthReader => {
  const read = async <V extends object>(
    properties: PropertySet<V>,
    refs: readonly MoRef[],
    options: CallOptions & { readonly pageSize?: number },
  ) => {
    const collector = requireManager(await session.open(options), 'propertyCollector');
    return retrieveObjects(session.vim, { properties, refs }, { pageSize, ...options, collector });
  };

  return {
    rootFolder: async (options = {}) => (await session.open(options)).content.rootFolder,
    clock: async (options = {}) => {
      const _this = moref('ServiceInstance', 'ServiceInstance');
      return (await session.vim.call(currentTime, { _this }, options)).getTime();
    },
    sessions: async (options = {}) => {
      const manager = requireManager(await session.open(options), 'sessionManager');
      const [found] = await read(sessionProperties, [manager], options);
      return found?.values.sessionList?.map(({ key, userName, userAgent, lastActiveTime }) => ({
        key,
        userName,
        userAgent,
        lastActiveMs: lastActiveTime.getTime(),
      }));
    },
    vms: async (refs, options = {}) => {
      const found = await read(vmHealthProperties, refs, options);
      return new Map(found.map(({ ref, values }) => [morefKey(ref), toVmHealth(server, ref, values)]));
    },
    slots: async (refs, options = {}) => {
      const found = await read(deviceProperties, refs, { ...options, pageSize: devicePageSize });
      const { version } = (await session.open(options)).content.about;
      const slots = (values: (typeof found)[number]['values']) => {
        const hardwareVersion = hardwareVersionOf(values['config.version']);
        const devices = values['config.hardware.device'];
        return devices && toScsiSlots(devices, { hardwareVersion, vcenterMajor: Number.parseInt(version, 10) });
      };
      return defined(found.map(({ ref, values }) => [morefKey(ref), slots(values)]));
    },
    hosts: async (refs, options = {}) => {
      const found = await read(hostHealthProperties, refs, options);
      return new Map(found.map(({ ref, values }) => [morefKey(ref), toHostHealth(server, ref, values)]));
    },
    datastores: async (refs, options = {}) => {
      const found = await read(datastoreHealthProperties, refs, options);
      return defined(found.map(({ ref, values }) => [morefKey(ref), toDatastoreHealth(ref, values)]));
    },
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
