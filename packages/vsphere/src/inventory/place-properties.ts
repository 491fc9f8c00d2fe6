import { defineProperties, type PropertySet } from '../property/properties.ts';
import type { MoRef } from '../wire/moref.ts';
import { array, boolean, ref, string, type Value } from '../wire/schema.ts';
import { DatastoreHostMount } from '../wire/types/datastore.ts';
import type { HostFacts, MountedDatastore } from './node-places.ts';

export const hostProperties = defineProperties('HostSystem', {
  name: string,
  parent: ref,
  'runtime.connectionState': string,
  'runtime.inMaintenanceMode': boolean,
  datastore: array(ref),
});

export const datastoreProperties = defineProperties('Datastore', {
  name: string,
  'summary.url': string,
  'summary.type': string,
  'summary.accessible': boolean,
  'summary.maintenanceMode': string,
  host: array(DatastoreHostMount),
});

type ValuesOf<P> = P extends PropertySet<infer V> ? V : never;
export type HostValues = ValuesOf<typeof hostProperties>;
export type DatastoreValues = ValuesOf<typeof datastoreProperties>;

/** True if the host can write to a datastore with this mount. */
export const isWritable = ({ mountInfo }: Value<typeof DatastoreHostMount>): boolean =>
  mountInfo.accessMode === 'readWrite' && mountInfo.mounted !== false && mountInfo.accessible !== false;

/** vCenter omits the mode if it does not know it. */
export const isInMaintenance = (mode: string | undefined): boolean => mode !== undefined && mode !== 'normal';

const toConnection = (state: string | undefined): HostFacts['connection'] =>
  state === 'connected' || state === 'notResponding' || state === 'disconnected' ? state : 'unknown';

export const toHostFacts = (server: string, host: MoRef, values: HostValues): HostFacts => ({
  server,
  ref: host,
  name: values.name ?? host.value,
  parent: values.parent,
  connection: toConnection(values['runtime.connectionState']),
  maintenance: values['runtime.inMaintenanceMode'] ?? false,
  datastores: values.datastore ?? [],
});

export const toMountedDatastore = (server: string, datastore: MoRef, values: DatastoreValues): MountedDatastore => ({
  server,
  ref: datastore,
  name: values.name ?? datastore.value,
  url: values['summary.url'] ?? '',
  type: values['summary.type'] ?? '',
  accessible: values['summary.accessible'] ?? false,
  maintenance: isInMaintenance(values['summary.maintenanceMode']),
  writableHosts: (values.host ?? []).filter(isWritable).map(({ key }) => key),
});
