import { VdoError } from '@vdo/base/vdo-error';
import type { CnsMutationOptions, NetPermission, Outcome, SnapshotSource, VolumeOnVm } from '../cns/cns-types.ts';
import type { MoRef } from '../wire/moref.ts';

/**
 * Irreversible calls. They check nothing: only packages/acts decides whether they are allowed, and only that package may import this
 * folder.
 */
export interface DestructiveCalls {
  /** False if there was no such volume. Deletes the disk or share too. */
  deleteVolume(volumeId: string, options: CnsMutationOptions): Promise<boolean>;
  /** Unregisters the volume from CNS and keeps its disk. False if there was no such volume. */
  unregister(volumeId: string, options: CnsMutationOptions): Promise<boolean>;
  detach(items: readonly VolumeOnVm[], options: CnsMutationOptions): Promise<readonly Outcome<undefined>[]>;
  /** False if there was no such snapshot or volume. */
  deleteSnapshot(snapshot: SnapshotSource, options: CnsMutationOptions): Promise<boolean>;
  /**
   * Moves a block volume to another datastore of the vCenter. Without a policy it gets the default one of that datastore. Until the task ends, vCenter
   * refuses other operations on the volume.
   */
  relocate(
    volumeId: string,
    target: { readonly datastore: MoRef; readonly storagePolicyId?: string },
    options: CnsMutationOptions,
  ): Promise<void>;
  /** Revokes permissions to use a file volume. */
  removeAccess(volumeId: string, permissions: readonly NetPermission[], options: CnsMutationOptions): Promise<void>;
  /** Deletes the category with all its tags, even if they are attached to objects. False if there was no such category. */
  deleteTagCategory(categoryId: string, options: Pick<CnsMutationOptions, 'fence' | 'signal'>): Promise<boolean>;
}

/** The key under which a connection stores them; code outside cannot use it. */
export const destructive: unique symbol = Symbol('what cannot be undone');

export interface HasDestructiveCalls {
  readonly [destructive]: DestructiveCalls;
}

export const destructiveCalls = (vcenter: HasDestructiveCalls): DestructiveCalls => {
  const calls: DestructiveCalls | undefined = vcenter[destructive];
  if (calls) return calls;
  throw new VdoError({
    code: 'Internal',
    message: 'this object is not a connection to a vCenter',
    remedy: 'This is a bug in VDO. Nothing was changed. Report it together with the log.',
  });
};
