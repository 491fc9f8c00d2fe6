import type { DatastoreHealth, HostHealth, VmHealth } from '@vdo/vsphere/health/health-reader';
import { morefKey } from '@vdo/vsphere/wire/moref';

/** VMs that must be able to use the same datastores: all nodes, or those of one zone. */
export interface Segment {
  /** Empty without topology. */
  readonly name: string;
  readonly vms: readonly VmHealth[];
}

export interface SharedDatastores {
  readonly segment: Segment;
  readonly shared: readonly DatastoreHealth[];
  /** Name of each other datastore → the hosts of node VMs that do not mount it. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** The datastores that the hosts of all VMs of a segment mount read-write. */
export const sharedDatastores = (
  segment: Segment,
  hosts: ReadonlyMap<string, HostHealth>,
  datastores: readonly DatastoreHealth[],
): SharedDatastores => {
  const keys = [...new Set(segment.vms.flatMap(({ host }) => (host ? [morefKey(host)] : [])))];
  const nameOf = (key: string): string => hosts.get(key)?.name ?? key;
  const judged = datastores.map((datastore) => {
    const writable = new Set(datastore.writableHosts.map(morefKey));
    return { datastore, lacking: keys.filter((key) => !writable.has(key)) };
  });
  return {
    segment,
    shared:
      keys.length === 0 ? [] : judged.filter(({ lacking }) => lacking.length === 0).map(({ datastore }) => datastore),
    missing: new Map(
      judged
        .filter(({ lacking }) => lacking.length > 0)
        .map(({ datastore, lacking }) => [datastore.name, lacking.map(nameOf)]),
    ),
  };
};
