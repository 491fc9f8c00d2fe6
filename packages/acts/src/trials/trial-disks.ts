import type { CnsMutationOptions, CnsVolume, NetPermission } from '@vdo/vsphere/cns/cns-types';
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
import { isTrialName, trialCluster } from './trial-marks.ts';

// Volumes that were created to test a vCenter. Their name, their cluster ID and their users must all confirm this, because there is no
// // cluster that could be asked.

export type ShownVolume = Pick<CnsVolume, 'name' | 'containerClusterIds' | 'entities'>;

export interface TrialDisk {
  readonly vcenter: HasDestructiveCalls;
  readonly volumeId: string;
  readonly volume: Answer<ShownVolume | undefined>;
}

/** Why it is not a trial volume; undefined if it is one. */
export const whyNoTrial = ({ name, containerClusterIds, entities = [] }: ShownVolume): string | undefined => {
  if (!isTrialName(name)) return `its name is ${name}`;
  if (containerClusterIds.length !== 1 || containerClusterIds[0] !== trialCluster)
    return `vCenter lists it for cluster ${containerClusterIds.join(', ') || '(none)'}, not for ${trialCluster} alone`;
  const user = entities.find((entity) => !isTrialName(entity.name));
  return user ? `${user.name} uses it` : undefined;
};

const actOnTrial = <R>(
  act: string,
  { attempt, disk }: { readonly attempt: Attempt; readonly disk: TrialDisk },
  send: (calls: DestructiveCalls, options: CnsMutationOptions) => Promise<R>,
): Promise<R> => {
  const { vcenter, volumeId, volume } = disk;
  const why = volume.value ? whyNoTrial(volume.value) : 'vCenter does not list it';
  if (why !== undefined) throw actRefused(act, volumeId, why);
  return perform(attempt, [volume], ({ beforeSend: assertHeld, signal }) =>
    send(destructiveCalls(vcenter), { fence: { assertHeld }, ...(signal ? { signal } : {}) }),
  );
};

export const detachTrialDisk = async (attempt: Attempt, disk: TrialDisk & { readonly vm: MoRef }): Promise<void> => {
  const item = { volumeId: disk.volumeId, vm: disk.vm };
  const [outcome] = await actOnTrial('detach', { attempt, disk }, (calls, options) => calls.detach([item], options));
  if (outcome && !outcome.ok) throw outcome.error;
};

export const deleteTrialSnapshot = (
  attempt: Attempt,
  disk: TrialDisk & { readonly snapshotId: string },
): Promise<boolean> =>
  actOnTrial('delete a snapshot of', { attempt, disk }, (calls, options) =>
    calls.deleteSnapshot({ volumeId: disk.volumeId, snapshotId: disk.snapshotId }, options),
  );

export const removeTrialAccess = (
  attempt: Attempt,
  disk: TrialDisk & { readonly permissions: readonly NetPermission[] },
): Promise<void> =>
  actOnTrial('take access away from', { attempt, disk }, (calls, options) =>
    calls.removeAccess(disk.volumeId, disk.permissions, options),
  );

export const deleteTrialDisk = (attempt: Attempt, disk: TrialDisk): Promise<boolean> =>
  actOnTrial('delete disk', { attempt, disk }, (calls, options) => calls.deleteVolume(disk.volumeId, options));
