import { isVolumeMissing, volumeError } from '../cns/cns-fault.ts';
import { accessSpecs, attachSpec } from '../cns/cns-specs.ts';
import type { CnsMutationOptions } from '../cns/cns-types.ts';
import { mutate } from '../cns/mutate.ts';
import { createVolumeRunner } from '../cns/run-on-volumes.ts';
import { volumeManager } from '../cns/volume-reader.ts';
import { volumeResults } from '../cns/volume-task.ts';
import type { VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { cnsConfigureVolumeACLs, cnsDeleteSnapshots, cnsDeleteVolume, cnsDetachVolume } from '../wire/methods/cns.ts';
import { CnsSnapshotNotFoundFault } from '../wire/types/cns-results.ts';
import { wireTypes } from '../wire/wire-types.ts';
import type { DestructiveCalls } from './destructive-calls.ts';

export const createDestructiveCalls = (session: VimSession, tasks: TaskWaiter): DestructiveCalls => {
  const { vsan } = session;
  const { server } = session.endpoint;
  const _this = volumeManager;
  const { run, runOne } = createVolumeRunner(server, tasks);

  const remove = async (id: string, deleteDisk: boolean, options: CnsMutationOptions): Promise<boolean> => {
    const call = 'CnsDeleteVolume';
    const args = { _this, volumeIds: [{ id }], deleteDisk };
    const info = await mutate((sending) => vsan.call(cnsDeleteVolume, args, sending), tasks, options);
    const [result] = volumeResults(info, { server, call });
    if (!result?.fault) return true;
    if (isVolumeMissing(result.fault)) return false;
    throw volumeError(result.fault, { server, call, volume: id });
  };

  return {
    deleteVolume: (id, options) => remove(id, true, options),
    unregister: (id, options) => remove(id, false, options),
    detach: (items, options) => {
      const detachSpecs = items.map(attachSpec);
      const send = (sending: CallOptions) => vsan.call(cnsDetachVolume, { _this, detachSpecs }, sending);
      const volumeIds = items.map(({ volumeId }) => volumeId);
      return run('CnsDetachVolume', { volumeIds, send, value: () => undefined }, options);
    },
    deleteSnapshot: async ({ volumeId, snapshotId }, options) => {
      const call = 'CnsDeleteSnapshots';
      const snapshotDeleteSpecs = [{ volumeId: { id: volumeId }, snapshotId: { id: snapshotId } }];
      const send = (sending: CallOptions) => vsan.call(cnsDeleteSnapshots, { _this, snapshotDeleteSpecs }, sending);
      const [result] = volumeResults(await mutate(send, tasks, options), { server, call });
      if (!result?.fault) return true;
      if (isVolumeMissing(result.fault) || wireTypes.is(result.fault.fault, CnsSnapshotNotFoundFault)) return false;
      throw volumeError(result.fault, { server, call, volume: volumeId });
    },
    removeAccess: (id, permissions, options) => {
      const ACLConfigSpecs = accessSpecs(id, permissions, true);
      const send = (sending: CallOptions) => vsan.call(cnsConfigureVolumeACLs, { _this, ACLConfigSpecs }, sending);
      return runOne('CnsConfigureVolumeACLs', id, send, options);
    },
  };
};
