import type { MoRef } from '../wire/moref.ts';

export interface DatastoreFacts {
  readonly ref: MoRef;
  readonly name: string;
  readonly url: string;
  readonly type: string;
  readonly accessible: boolean;
  readonly maintenance: boolean;
  /** An administrator has suspended it: CNS creates no volumes on it. False by default. */
  readonly suspended?: boolean;
  readonly capacityBytes: bigint;
  readonly freeBytes: bigint;
}

/** Where a volume can be created so that all nodes can access it. */
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
