import type { CnsMutationOptions, CnsVolume } from '@vdo/vsphere/cns/cns-types';
import {
  type DestructiveCalls,
  destructiveCalls,
  type HasDestructiveCalls,
} from '@vdo/vsphere/destructive/destructive-calls';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Attempt } from '../attempt.ts';
import type { Answer } from '../evidence.ts';
import { perform } from '../internal/perform.ts';
import { actRefused } from '../internal/refusals.ts';

// Disks of a cluster that no longer exists. It recorded, outside of the cluster, the ID under which it would create them. No other cluster ever had that ID.

export interface LeftDisk {
  readonly vcenter: HasDestructiveCalls;
  readonly volumeId: string;
  readonly evidence: {
    /** The present record. */
    readonly note: Answer<{ readonly clusterId: string; readonly instanceUuid?: string | undefined }>;
    readonly vcenter: Answer<{ readonly instanceUuid: string }>;
    readonly volume: Answer<Pick<CnsVolume, 'containerClusterIds'> | undefined>;
  };
}

const assertLeft = (act: string, { volumeId, evidence }: LeftDisk): void => {
  const { note, vcenter, volume } = evidence;
  const refuse = (why: string) => actRefused(act, volumeId, why);
  const { clusterId, instanceUuid } = note.value;
  if (instanceUuid === undefined || instanceUuid === '') throw refuse('its intent does not record the vCenter');
  if (instanceUuid !== vcenter.value.instanceUuid) throw refuse(`it was created on vCenter ${instanceUuid}`);
  if (!volume.value) throw refuse('vCenter does not list it');
  const owners = volume.value.containerClusterIds;
  if (owners.length !== 1 || owners[0] !== clusterId)
    throw refuse(`vCenter lists it for cluster ${owners.join(', ') || '(none)'}, not for ${clusterId} alone`);
};

const actOnLeft = <R>(
  act: string,
  { attempt, disk }: { readonly attempt: Attempt; readonly disk: LeftDisk },
  send: (calls: DestructiveCalls, options: CnsMutationOptions) => Promise<R>,
): Promise<R> => {
  assertLeft(act, disk);
  const { note, vcenter, volume } = disk.evidence;
  return perform(attempt, [note, vcenter, volume], ({ beforeSend: assertHeld, signal }) =>
    send(destructiveCalls(disk.vcenter), { fence: { assertHeld }, ...(signal ? { signal } : {}) }),
  );
};

export const detachLeftDisk = async (attempt: Attempt, disk: LeftDisk & { readonly vm: MoRef }): Promise<void> => {
  const item = { volumeId: disk.volumeId, vm: disk.vm };
  const [outcome] = await actOnLeft('detach', { attempt, disk }, (calls, options) => calls.detach([item], options));
  if (outcome && !outcome.ok) throw outcome.error;
};

export const deleteLeftSnapshot = (
  attempt: Attempt,
  disk: LeftDisk & { readonly snapshotId: string },
): Promise<boolean> =>
  actOnLeft('delete a snapshot of', { attempt, disk }, (calls, options) =>
    calls.deleteSnapshot({ volumeId: disk.volumeId, snapshotId: disk.snapshotId }, options),
  );

export const deleteLeftDisk = (attempt: Attempt, disk: LeftDisk): Promise<boolean> =>
  actOnLeft('delete disk', { attempt, disk }, (calls, options) => calls.deleteVolume(disk.volumeId, options));
