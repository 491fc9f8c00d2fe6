import type { Fence } from '@vdo/base/fence';
import type { CallOptions } from '../soap/soap-client.ts';
import type { MoRef } from '../wire/moref.ts';

/** A vmdk that vCenter manages with its own ID (first-class disk, FCD). Every block volume of CNS is one. */
export interface FirstClassDisk {
  readonly id: string;
  readonly name: string;
  readonly datastore: MoRef;
  /** `[datastore] path.vmdk`. Empty if vCenter does not report it. */
  readonly path: string;
  readonly capacityMb: bigint;
  readonly createTime: Date;
  /** If false, the disk is deleted together with the VM to which it is attached. */
  readonly keepAfterDeleteVm: boolean;
  /** IDs of the VMs that use it, as vCenter returns them. */
  readonly consumers: readonly string[];
}

export interface DiskMutationOptions extends CallOptions {
  /** Asserted right before each sending. */
  readonly fence: Fence;
}

/** The operations on first-class disks that are needed to register existing vmdks. */
export interface FirstClassDisks {
  /**
   * Makes the vmdk at a URL path (see `diskUrlPath`) a first-class disk. Throws VCenterFault if there is no such vmdk or
   * if it is one already. It does not make it a container volume: `cns.registerDisk` does.
   */
  register(urlPath: string, name: string | undefined, options: DiskMutationOptions): Promise<FirstClassDisk>;
  /** Undefined if the datastore has no such disk. */
  get(datastore: MoRef, id: string, options?: CallOptions): Promise<FirstClassDisk | undefined>;
  /** The IDs of all first-class disks on a datastore. */
  list(datastore: MoRef, options?: CallOptions): Promise<readonly string[]>;
  /** Sets whether the disk is kept when a VM to which it is attached is deleted. */
  setKeepAfterDeleteVm(
    disk: { readonly datastore: MoRef; readonly id: string },
    keep: boolean,
    options: DiskMutationOptions,
  ): Promise<void>;
  /** Makes vCenter compare its list of disks with the files: disks without a vmdk are removed from the list. */
  reconcile(datastore: MoRef, options: DiskMutationOptions): Promise<void>;
}
