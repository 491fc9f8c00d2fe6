import { createActLog } from '@vdo/acts/act-log';
import type { Attempt } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { withoutClusterId } from '@vdo/acts/sole-use';
import {
  deleteTrialDisk,
  deleteTrialSnapshot,
  detachTrialDisk,
  removeTrialAccess,
  type TrialDisk,
  whyNoTrial,
} from '@vdo/acts/trials/trial-disks';
import { isTrialName, trialCluster, trialPrefix } from '@vdo/acts/trials/trial-marks';
import { deleteTrialCategory } from '@vdo/acts/trials/trial-tags';
import type { Clock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import type { CnsVolume, NetPermission } from '@vdo/vsphere/cns/cns-types';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { TagCategory } from '@vdo/vsphere/rest/tag-admin';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';

/** Objects that were created on a vCenter by this run or an earlier one. */
export interface Trials {
  readonly volumes: readonly CnsVolume[];
  readonly categories: readonly TagCategory[];
}

export interface TrialDeps {
  readonly vcenter: FullVCenter;
  readonly clock: Clock;
  readonly random: Random;
}

/** The VM is part of the name, so that a later run knows which VM to detach the disk from. */
export const trialName = (vm: MoRef, run: string, what: 'disk' | 'copy' | 'share' | 'tags'): string =>
  `${trialPrefix}${vm.value}-${run}-${what}`;

const vmIn = (name: string): MoRef | undefined => {
  const value = /^vdo-qualify-(.{1,200})-[0-9a-f]{8}-\w{4,5}$/.exec(name)?.[1];
  return value === undefined ? undefined : moref('VirtualMachine', value);
};

export const findTrials = async ({ vcenter }: Pick<TrialDeps, 'vcenter'>, signal: AbortSignal): Promise<Trials> => {
  const listed = await vcenter.cns.queryVolumes({ clusterIds: [trialCluster] }, { signal });
  // If tags cannot be listed, there are none of ours; this must not prevent the deletion of disks.
  const categories = await vcenter.tags.categories({ signal }).catch(() => {
    signal.throwIfAborted();
    return [];
  });
  return {
    volumes: listed.filter((volume) => whyNoTrial(volume) === undefined),
    categories: categories.filter(({ name }) => isTrialName(name)),
  };
};

/** Deletes single objects of a trial. Each is read again immediately before. */
export const createUndoing = ({ vcenter, clock, random }: TrialDeps, signal: AbortSignal) => {
  const deps = { clock, random, fence: openFence, log: createActLog(), soleUse: withoutClusterId };
  const begin = (act: string, subject: string): Attempt => beginAttempt(deps, { act, subject, signal });

  const onDisk = async <R>(
    act: string,
    volumeId: string,
    work: (attempt: Attempt, disk: TrialDisk) => Promise<R>,
  ): Promise<R> => {
    const attempt = begin(act, volumeId);
    const volume = await attempt.ask(`volume ${volumeId}`, async () => {
      const found = await vcenter.cns.queryVolumes({ volumeIds: [volumeId] }, { signal });
      return found.find(({ id }) => id === volumeId);
    });
    return work(attempt, { vcenter, volumeId, volume });
  };

  return {
    detach: (volumeId: string, vm: MoRef) =>
      onDisk('detach', volumeId, (attempt, disk) => detachTrialDisk(attempt, { ...disk, vm })),
    deleteSnapshot: (volumeId: string, snapshotId: string) =>
      onDisk('delete snapshot', volumeId, (attempt, disk) => deleteTrialSnapshot(attempt, { ...disk, snapshotId })),
    removeAccess: (volumeId: string, permissions: readonly NetPermission[]) =>
      onDisk('remove access', volumeId, (attempt, disk) => removeTrialAccess(attempt, { ...disk, permissions })),
    deleteVolume: (volumeId: string) => onDisk('delete disk', volumeId, deleteTrialDisk),
    deleteCategory: async (id: string): Promise<boolean> => {
      const attempt = begin('delete tag category', id);
      const category = await attempt.ask(`tag category ${id}`, () => vcenter.tags.category(id, { signal }));
      return deleteTrialCategory(attempt, { vcenter, id, category });
    },
  };
};

/** Deletes everything that was created for a trial, by any run; returns the number of objects. */
export const removeTrials = async (
  deps: TrialDeps,
  { signal, hasSnapshots }: { readonly signal: AbortSignal; readonly hasSnapshots: boolean },
): Promise<number> => {
  const { vcenter } = deps;
  const undo = createUndoing(deps, signal);
  const { volumes, categories } = await findTrials(deps, signal);
  const vms = new Map(volumes.flatMap(({ name }) => vmIn(name) ?? []).map((vm) => [vm.value, vm]));
  const attached = await vcenter.disks.of([...vms.values()], { signal });
  for (const { id, name, type } of volumes) {
    const vm = vmIn(name);
    if (vm && attached.get(vm.value)?.some(({ volumeId }) => volumeId === id))
      await undo.detach(id, vm).catch((error: unknown) => {
        // A detach started by a killed run may still finish. If the disk is still attached, its deletion fails, which is reported.
        if (!isVdoError(error, 'VolumeNotFound', 'VCenterObjectNotFound')) throw error;
      });
    if (type === 'BLOCK' && hasSnapshots)
      for (const snapshot of await vcenter.cns.querySnapshots({ volumeId: id }, { signal }))
        await undo.deleteSnapshot(id, snapshot.id);
    await undo.deleteVolume(id);
  }
  for (const { id } of categories) await undo.deleteCategory(id);
  return volumes.length + categories.length;
};
