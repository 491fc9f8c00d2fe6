import { isMissingAtCall, isVolumeMissing, volumeError } from '../cns/cns-fault.ts';
import { accessSpecs, attachSpec, profileSpecs } from '../cns/cns-specs.ts';
import type { CnsMutationOptions, SnapshotSource, VolumeOnVm } from '../cns/cns-types.ts';
import { mutate } from '../cns/mutate.ts';
import { createVolumeRunner, type VolumeResult } from '../cns/run-on-volumes.ts';
import { createSnapshotOperations } from '../cns/snapshot-operations.ts';
import { volumeManager } from '../cns/volume-reader.ts';
import { volumeResults } from '../cns/volume-task.ts';
import type { VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import {
  cnsConfigureVolumeACLs,
  cnsDeleteSnapshots,
  cnsDeleteVolume,
  cnsDetachVolume,
  cnsRelocateVolume,
} from '../wire/methods/cns.ts';
import type { MoRef } from '../wire/moref.ts';
import { make } from '../wire/schema.ts';
import { CnsBlockVolumeRelocateSpec } from '../wire/types/cns.ts';
import { CnsSnapshotNotFoundFault } from '../wire/types/cns-results.ts';
import { InvalidArgument } from '../wire/types/faults.ts';
import { wireTypes } from '../wire/wire-types.ts';
import type { DestructiveCalls } from './destructive-calls.ts';

/** An argument is invalid; vCenter does not report which one. */
const isUnreportedArgument = (fault: unknown): boolean =>
  wireTypes.is(fault, InvalidArgument) && (fault.invalidProperty ?? '') === '';

export const createDestructiveCalls = (
  session: VimSession,
  tasks: TaskWaiter,
): Omit<DestructiveCalls, 'deleteTagCategory'> => {
  const { vsan } = session;
  const { server } = session.endpoint;
  const _this = volumeManager;
  const { run, runOne } = createVolumeRunner(server, tasks);

  const { querySnapshots } = createSnapshotOperations(session, tasks);
  const isListed = async (source: SnapshotSource, { signal }: CnsMutationOptions): Promise<boolean> =>
    (await querySnapshots(source, signal ? { signal } : {})).length > 0;

  /** The result of a call on one volume; none if the volume or snapshot does not exist. */
  const mutateOne = async (
    call: string,
    send: (sending: CallOptions) => Promise<MoRef>,
    options: CnsMutationOptions,
  ): Promise<readonly VolumeResult[]> => {
    let task: MoRef | undefined;
    const sendOnce = async (sending: CallOptions): Promise<MoRef> => {
      task = await send(sending);
      return task;
    };
    try {
      return volumeResults(await mutate(sendOnce, tasks, options), { server, call });
    } catch (error) {
      if (task === undefined && isMissingAtCall(error)) return [];
      throw error;
    }
  };

  const remove = async (id: string, deleteDisk: boolean, options: CnsMutationOptions): Promise<boolean> => {
    const call = 'CnsDeleteVolume';
    const args = { _this, volumeIds: [{ id }], deleteDisk };
    const [result] = await mutateOne(call, (sending) => vsan.call(cnsDeleteVolume, args, sending), options);
    if (result === undefined) return false;
    if (!result.fault) return true;
    if (isVolumeMissing(result.fault)) return false;
    throw volumeError(result.fault, { server, call, volume: id });
  };

  return {
    deleteVolume: (id, options) => remove(id, true, options),
    unregister: (id, options) => remove(id, false, options),
    detach: (items, options) => {
      const send = (some: readonly VolumeOnVm[], sending: CallOptions) =>
        vsan.call(cnsDetachVolume, { _this, detachSpecs: some.map(attachSpec) }, sending);
      const volumeId = (item: VolumeOnVm) => item.volumeId;
      return run('CnsDetachVolume', { items, volumeId, send, value: () => undefined }, options);
    },
    deleteSnapshot: async ({ volumeId, snapshotId }, options) => {
      const call = 'CnsDeleteSnapshots';
      const snapshotDeleteSpecs = [{ volumeId: { id: volumeId }, snapshotId: { id: snapshotId } }];
      const send = (sending: CallOptions) => vsan.call(cnsDeleteSnapshots, { _this, snapshotDeleteSpecs }, sending);
      const [result] = await mutateOne(call, send, options);
      if (result === undefined) return false;
      if (!result.fault) return true;
      if (isVolumeMissing(result.fault) || wireTypes.is(result.fault.fault, CnsSnapshotNotFoundFault)) return false;
      // 7.0 Update 3 reports this for a snapshot that does not exist, but possibly also for other problems.
      if (isUnreportedArgument(result.fault.fault) && !(await isListed({ volumeId, snapshotId }, options)))
        return false;
      throw volumeError(result.fault, { server, call, volume: volumeId });
    },
    relocate: (id, { datastore, storagePolicyId }, options) => {
      const profile = profileSpecs(storagePolicyId);
      const relocateSpecs = [make(CnsBlockVolumeRelocateSpec, { volumeId: { id }, datastore, profile })];
      const send = (sending: CallOptions) => vsan.call(cnsRelocateVolume, { _this, relocateSpecs }, sending);
      return runOne('CnsRelocateVolume', id, send, options);
    },
    removeAccess: (id, permissions, options) => {
      const ACLConfigSpecs = accessSpecs(id, permissions, true);
      const send = (sending: CallOptions) => vsan.call(cnsConfigureVolumeACLs, { _this, ACLConfigSpecs }, sending);
      return runOne('CnsConfigureVolumeACLs', id, send, options);
    },
  };
};
