import { destructiveCalls, type HasDestructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Attempt } from '../attempt.ts';
import { perform } from '../internal/perform.ts';
import { assertOwned, type DiskEvidence, type Owner, piecesOf } from './disk-evidence.ts';

export interface DestroyedDisk {
  readonly vcenter: HasDestructiveCalls;
  readonly volumeId: string;
  readonly evidence: DiskEvidence;
  readonly owner: Owner;
  /** The operation that needs it, for the logs of vCenter. */
  readonly operationId?: string | undefined;
  /** Called with the task as soon as vCenter has accepted it. */
  readonly onTask?: (task: MoRef) => Promise<void>;
}

const destroy = async (how: 'deleteVolume' | 'unregister', attempt: Attempt, disk: DestroyedDisk): Promise<boolean> => {
  const { vcenter, volumeId, evidence, owner, operationId, onTask } = disk;
  assertOwned(how === 'unregister' ? 'unregister disk' : 'delete disk', volumeId, evidence, owner);
  return perform(attempt, piecesOf(evidence), ({ beforeSend: assertHeld, signal }) =>
    destructiveCalls(vcenter)[how](volumeId, {
      fence: { assertHeld, operationId },
      ...(signal ? { signal } : {}),
      ...(onTask ? { onTask } : {}),
    }),
  );
};

/** Deletes a disk or share that belongs to this cluster. False if vCenter has no such volume. */
export const deleteDisk = (attempt: Attempt, disk: DestroyedDisk): Promise<boolean> =>
  destroy('deleteVolume', attempt, disk);

/** Unregisters a disk from CNS and keeps its vmdk. False if vCenter has no such volume. */
export const unregisterDisk = (attempt: Attempt, disk: DestroyedDisk): Promise<boolean> =>
  destroy('unregister', attempt, disk);
