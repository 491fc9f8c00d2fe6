import type { Fence } from '@vdo/base/fence';
import type { CallOptions } from '../soap/soap-client.ts';
import type { MoRef } from '../wire/moref.ts';

/** A vmdk that vCenter manages by an id of its own (FCD). Every block volume of CNS is one. */
export interface FirstClassDisk {
  readonly id: string;
  readonly name: string;
  readonly datastore: MoRef;
  /** `[datastore] path.vmdk`. Empty if vCenter does not tell. */
  readonly path: string;
  readonly capacityMb: bigint;
  readonly createTime: Date;
  /** False: deleting the VM that has it deletes it too. */
  readonly keepAfterDeleteVm: boolean;
  /** Ids of the VMs that use it, as vCenter gives them. */
  readonly consumers: readonly string[];
}

export interface DiskMutationOptions extends CallOptions {
  /** Asserted right before each sending. */
  readonly fence: Fence;
}

/** First-class disks, as far as bringing existing vmdks under management needs them. */
export interface FirstClassDisks {
  /**
   * Makes the vmdk at a URL path (see `diskUrlPath`) a first-class disk. Throws VCenterFault if there is no such vmdk or
   * if it is one already. It does not make it a container volume: `cns.registerDisk` does.
   */
  register(urlPath: string, name: string | undefined, options: DiskMutationOptions): Promise<FirstClassDisk>;
  /** Undefined if the datastore has no such disk. */
  get(datastore: MoRef, id: string, options?: CallOptions): Promise<FirstClassDisk | undefined>;
  /** The ids of all on a datastore. */
  list(datastore: MoRef, options?: CallOptions): Promise<readonly string[]>;
  /** Whether the disk stays when a VM that has it is deleted. */
  setKeepAfterDeleteVm(
    disk: { readonly datastore: MoRef; readonly id: string },
    keep: boolean,
    options: DiskMutationOptions,
  ): Promise<void>;
  /** Lets vCenter compare its list of disks with the files: disks whose vmdk is gone leave the list. */
  reconcile(datastore: MoRef, options: DiskMutationOptions): Promise<void>;
}
