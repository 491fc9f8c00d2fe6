/** What vCenter said about disks and where they are. The leader keeps it in memory, from what its checks read anyway. */
export interface Inventory {
  readonly vcenters: readonly VCenterInventory[];
}

export interface VCenterInventory {
  /** As in the spec. */
  readonly vcenter: string;
  /** Milliseconds since 1970; absent: not read yet. */
  readonly volumesAtMs?: number;
  readonly placesAtMs?: number;
  /** Why the last reading of the volumes failed; empty if it did not. */
  readonly problem: string;
  readonly volumes: readonly DiskFact[];
  readonly datastores: readonly DatastoreFact[];
  readonly hosts: readonly { readonly name: string; readonly version: string }[];
  readonly policies: readonly PolicyFact[];
  /** Name of a node → places for disks. */
  readonly slots: Readonly<Record<string, readonly [used: number, total: number]>>;
}

export interface DiskFact {
  readonly id: string;
  readonly name: string;
  readonly isFile?: true;
  /** Position in `datastores` of this vCenter; absent if its datastore is none that a node's host mounts. */
  readonly at?: number;
  readonly mb: number;
  readonly health?: string;
  readonly path?: string;
  /** When it was read, no PersistentVolume had it. */
  readonly isOrphan?: true;
}

export interface DatastoreFact {
  readonly name: string;
  readonly url: string;
  readonly type: string;
  readonly capacity: number;
  readonly free: number;
  readonly problem: string;
  readonly hosts: readonly string[];
}

export interface PolicyFact {
  readonly name: string;
  readonly exists: boolean;
  readonly datastores: readonly string[];
}

export const emptyInventory: Inventory = { vcenters: [] };
