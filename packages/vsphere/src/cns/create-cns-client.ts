import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { VimSession } from '../session/vim-session.ts';
import type { FinishedTask } from '../tasks/pending-tasks.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { cnsCreateVolume, cnsDeleteVolume, cnsQueryVolume } from '../wire/methods/cns.ts';
import { type MoRef, moref } from '../wire/moref.ts';
import type { CnsCallOptions, CnsClient, CnsMutationOptions, CnsQueryFilter, CnsVolume } from './cns-client.ts';
import { isVolumeMissing, volumeError } from './cns-fault.ts';
import { createSpec, filterSpec, toVolume } from './cns-specs.ts';
import { volumeResults } from './volume-task.ts';

export const volumeManager = moref('CnsVolumeManager', 'cns-volume-manager');

const pageSize = 1000n;

/** Sends a storage mutation: the fence is checked last before it leaves, the task is told as soon as it is known. */
export const mutate = async (
  send: () => Promise<MoRef>,
  tasks: TaskWaiter,
  options: CnsMutationOptions,
): Promise<FinishedTask> => {
  options.fence.assertHeld();
  const task = await send();
  await options.onTask?.(task);
  return tasks.wait(task, options);
};

export const createCnsClient = (session: VimSession, tasks: TaskWaiter): CnsClient => {
  const { vsan } = session;
  const { server } = session.endpoint;

  const queryVolumes = async (filter: CnsQueryFilter, options: CnsCallOptions = {}): Promise<readonly CnsVolume[]> => {
    // An empty list of ids means none, while CNS would take it for all.
    if ([filter.volumeIds, filter.names, filter.clusterIds].some((list) => list?.length === 0)) return [];
    const volumes: CnsVolume[] = [];
    for (;;) {
      const cursor = { offset: BigInt(volumes.length), limit: pageSize };
      const page = await vsan.call(
        cnsQueryVolume,
        { _this: volumeManager, filter: filterSpec(filter, cursor) },
        options,
      );
      volumes.push(...page.volumes.map(toVolume));
      if (page.volumes.length === 0 || BigInt(volumes.length) >= (page.cursor?.totalRecords ?? 0n)) return volumes;
    }
  };

  const created = async (info: FinishedTask, options: CnsCallOptions): Promise<CnsVolume> => {
    const call = 'CnsCreateVolume';
    const [result] = volumeResults(info, { server, call });
    if (result?.fault) throw volumeError(result.fault, { server, call, volume: result.volumeId?.id ?? 'that is new' });
    const id = result?.volumeId?.id ?? '';
    const [volume] = await queryVolumes({ volumeIds: [id] }, options);
    if (volume) return volume;
    throw new VdoError({
      code: 'VolumeNotFound',
      message: `vCenter ${server} created the volume ${id} but does not show it`,
      remedy: 'Grant Cns.Searchable at the root of the inventory to the user of the credentials Secret.',
      details: { volume: id },
    });
  };

  return {
    createBlockVolume: async (spec, options) => {
      const send = () => vsan.call(cnsCreateVolume, { _this: volumeManager, createSpecs: [createSpec(spec)] }, options);
      return created(await mutate(send, tasks, options), options);
    },
    deleteVolume: async (id, options) => {
      const args = { _this: volumeManager, volumeIds: [{ id }], deleteDisk: true };
      const info = await mutate(() => vsan.call(cnsDeleteVolume, args, options), tasks, options);
      const call = 'CnsDeleteVolume';
      const [result] = volumeResults(info, { server, call });
      if (!result?.fault) return true;
      if (isVolumeMissing(result.fault)) return false;
      throw volumeError(result.fault, { server, call, volume: id });
    },
    queryVolumes,
    awaitCreate: async (task, options = {}) => {
      const info = await tasks.wait(task, options).catch((error: unknown) => {
        if (isVdoError(error, 'VCenterObjectNotFound')) return undefined;
        throw error;
      });
      return info && created(info, options);
    },
  };
};
