import type { DatastoreFact, DiskFact, Inventory, VCenterInventory } from '../inventory.ts';
import type { VolumeRow } from '../rows/volume-row.ts';

interface Found {
  readonly handle: string;
  readonly disk: DiskFact;
  readonly shown: { readonly vcenter: string } & Pick<VolumeRow, 'datastore' | 'path' | 'diskHealth'>;
  /** Empty if it has none. */
  readonly datastoreProblem: string;
  readonly readAtMs?: number;
}

export interface DiskIndex {
  /** By the handle of a PersistentVolume, which may also be the path of a migrated disk. */
  find(handle: string): Found | undefined;
  readonly orphans: readonly Found[];
}

/** Two vCenters may have datastores of the same name. */
export const datastoreKey = (vcenter: string, { name }: Pick<DatastoreFact, 'name'>): string => `${vcenter}/${name}`;

const foundIn = ({ vcenter, datastores, volumesAtMs }: VCenterInventory, disk: DiskFact): Found => {
  const datastore = disk.at === undefined ? undefined : datastores[disk.at];
  const problem = datastore?.problem ?? '';
  return {
    handle: disk.isFile && !disk.id.startsWith('file:') ? `file:${disk.id}` : disk.id,
    disk,
    shown: {
      vcenter,
      ...(datastore ? { datastore: datastoreKey(vcenter, datastore) } : {}),
      ...(disk.path === undefined ? {} : { path: disk.path }),
      ...(disk.health === undefined ? {} : { diskHealth: disk.health }),
    },
    datastoreProblem: problem === '' ? '' : `datastore ${datastore?.name} ${problem}`,
    ...(volumesAtMs === undefined ? {} : { readAtMs: volumesAtMs }),
  };
};

export const createDiskIndex = (inventory: Inventory): DiskIndex => {
  const byHandle = new Map<string, Found>();
  const orphans: Found[] = [];
  for (const vcenter of inventory.vcenters)
    for (const disk of vcenter.volumes) {
      const found = foundIn(vcenter, disk);
      byHandle.set(found.handle, found);
      if (disk.path !== undefined) byHandle.set(disk.path, found);
      if (disk.isOrphan) orphans.push(found);
    }
  return { find: (handle) => byHandle.get(handle), orphans };
};
