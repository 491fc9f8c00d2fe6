import { isInMaintenance, isWritable, toHostFacts } from '../inventory/place-properties.ts';
import { defineProperties, type PropertySet } from '../property/properties.ts';
import type { MoRef } from '../wire/moref.ts';
import { array, boolean, ref, string } from '../wire/schema.ts';
import { DatastoreHostMount, DatastoreSummary } from '../wire/types/datastore.ts';
import { AboutInfo } from '../wire/types/service.ts';
import type { DatastoreHealth, HostHealth } from './health-reader.ts';

type ValuesOf<P> = P extends PropertySet<infer V> ? V : never;

export const hostHealthProperties = defineProperties('HostSystem', {
  name: string,
  parent: ref,
  'runtime.connectionState': string,
  'runtime.inMaintenanceMode': boolean,
  'summary.config.product': AboutInfo,
  datastore: array(ref),
});

export const datastoreHealthProperties = defineProperties('Datastore', {
  summary: DatastoreSummary,
  host: array(DatastoreHostMount),
});

export const toHostHealth = (
  server: string,
  host: MoRef,
  values: ValuesOf<typeof hostHealthProperties>,
): HostHealth => ({
  ...toHostFacts(server, host, values),
  version: values['summary.config.product']?.version ?? '',
  apiVersion: values['summary.config.product']?.apiVersion ?? '',
  build: values['summary.config.product']?.build ?? '',
  parent: values.parent,
});

/** Undefined if the user may see only that it exists. */
export const toDatastoreHealth = (
  datastore: MoRef,
  { summary, host = [] }: ValuesOf<typeof datastoreHealthProperties>,
): DatastoreHealth | undefined =>
  summary && {
    ref: datastore,
    name: summary.name,
    url: summary.url,
    type: summary.type,
    accessible: summary.accessible,
    maintenance: isInMaintenance(summary.maintenanceMode),
    capacityBytes: summary.capacity,
    freeBytes: summary.freeSpace,
    writableHosts: host.filter(isWritable).map(({ key }) => key),
  };
