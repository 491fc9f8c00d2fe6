import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { array, ref, string, type Value } from '../wire/schema.ts';
import { CustomFieldStringValue, CustomFieldValue } from '../wire/types/common.ts';
import { DatastoreHostMount, DatastoreSummary } from '../wire/types/datastore.ts';
import { wireTypes } from '../wire/wire-types.ts';
import { isInMaintenance, isWritable } from './place-properties.ts';
import type { DatastoreFacts, Placement } from './placement.ts';

const vmProperties = defineProperties('VirtualMachine', { name: string, 'runtime.host': ref });
const hostProperties = defineProperties('HostSystem', { datastore: array(ref) });
const datastoreProperties = defineProperties('Datastore', {
  summary: DatastoreSummary,
  host: array(DatastoreHostMount),
  customValue: array(CustomFieldValue),
});

/** The custom attribute with which vCenter marks a datastore on which CNS creates no volumes. */
const suspendedMark = 'cns.vmware.com/datastoreSuspended';
const isSuspended = (values: readonly Value<typeof CustomFieldValue>[]): boolean =>
  values.some((one) => wireTypes.is(one, CustomFieldStringValue) && one.value === suspendedMark);

interface Mounted {
  readonly facts: DatastoreFacts;
  /** Hosts that can write to it, by `morefKey`. */
  readonly hosts: ReadonlySet<string>;
}

const toMounted = (
  datastore: MoRef,
  summary: Value<typeof DatastoreSummary>,
  mounts: readonly Value<typeof DatastoreHostMount>[],
  suspended: boolean,
): Mounted => ({
  facts: {
    ref: datastore,
    name: summary.name,
    url: summary.url,
    type: summary.type,
    accessible: summary.accessible,
    maintenance: isInMaintenance(summary.maintenanceMode),
    suspended,
    capacityBytes: summary.capacity,
    freeBytes: summary.freeSpace,
  },
  hosts: new Set(mounts.filter(isWritable).map(({ key }) => morefKey(key))),
});

/** Three calls for any number of VMs: their hosts, the mounts of the hosts, and the datastores. */
export const createPlacement = (session: VimSession): Placement => {
  const readDatastores = async (hosts: readonly MoRef[], options: CallOptions): Promise<readonly Mounted[]> => {
    if (hosts.length === 0) return [];
    const collector = requireManager(await session.open(options), 'propertyCollector');
    const call = { ...options, collector };
    const mounting = await retrieveObjects(session.vim, { properties: hostProperties, refs: hosts }, call);
    const listed = mounting.flatMap(({ values }) => values.datastore ?? []);
    const refs = [...new Map(listed.map((one) => [morefKey(one), one])).values()];
    const found = await retrieveObjects(session.vim, { properties: datastoreProperties, refs }, call);
    return found.flatMap(({ ref: datastore, values }) =>
      values.summary
        ? [toMounted(datastore, values.summary, values.host ?? [], isSuspended(values.customValue ?? []))]
        : [],
    );
  };

  return {
    sharedDatastores: async (vms, options = {}) => {
      const collector = requireManager(await session.open(options), 'propertyCollector');
      const read = await retrieveObjects(
        session.vim,
        { properties: vmProperties, refs: vms },
        { ...options, collector },
      );
      const byVm = new Map(read.map(({ ref: vm, values }) => [morefKey(vm), values]));
      const places = vms.map((vm) => ({
        name: byVm.get(morefKey(vm))?.name ?? vm.value,
        host: byVm.get(morefKey(vm))?.['runtime.host'],
      }));
      const hosts = new Map(places.flatMap(({ host }) => (host ? [[morefKey(host), host] as const] : [])));
      const datastores = await readDatastores([...hosts.values()], options);
      const lacking = ({ hosts: mounted }: Mounted): readonly string[] =>
        places.filter(({ host }) => !host || !mounted.has(morefKey(host))).map(({ name }) => name);
      const judged = datastores.map((datastore) => ({ facts: datastore.facts, lacks: lacking(datastore) }));
      return {
        shared: judged.filter(({ lacks }) => lacks.length === 0).map(({ facts }) => facts),
        missing: new Map(judged.filter(({ lacks }) => lacks.length > 0).map(({ facts, lacks }) => [facts.name, lacks])),
      };
    },
  };
};
