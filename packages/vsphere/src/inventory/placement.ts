import type { MoRef } from '../wire/moref.ts';

export interface DatastoreFacts {
  readonly ref: MoRef;
  readonly name: string;
  readonly url: string;
  readonly type: string;
  readonly accessible: boolean;
  readonly maintenance: boolean;
  /** CNS makes no volumes on it: an administrator has suspended it. Default false. */
  readonly suspended?: boolean;
  readonly capacityBytes: bigint;
  readonly freeBytes: bigint;
}

/** Where a volume can live so that the nodes reach it. */
export interface Placement {
  /**
   * Datastores that the hosts of all given VMs mount read-write. `missing` tells, for each datastore that is not shared,
   * which VMs lack it.
   */
  sharedDatastores(
    vms: readonly MoRef[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly shared: readonly DatastoreFacts[]; readonly missing: ReadonlyMap<string, readonly string[]> }>;
}
