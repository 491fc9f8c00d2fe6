import { isVdoError } from '@vdo/base/vdo-error';
import type { VimSession } from '../session/vim-session.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { cnsCreateVolume, cnsDeleteVolume } from '../wire/methods/cns.ts';
import type { CnsClient } from './cns-client.ts';
import { isVolumeMissing, volumeError } from './cns-fault.ts';
import { createSpec, volumeOfResult } from './cns-specs.ts';
import { mutate } from './mutate.ts';
import { createVolumeReader, volumeManager } from './volume-reader.ts';
import { volumeResults } from './volume-task.ts';

export const createCnsClient = (session: VimSession, tasks: TaskWaiter): CnsClient => {
  const { vsan } = session;
  const { server } = session.endpoint;
  const { queryVolumes, volumePages, created } = createVolumeReader(session);

  return {
    createBlockVolume: async (spec, options) => {
      const send = () => vsan.call(cnsCreateVolume, { _this: volumeManager, createSpecs: [createSpec(spec)] }, options);
      const info = await mutate(send, tasks, options);
      const [result] = volumeResults(info, { server, call: 'CnsCreateVolume' });
      return (result && volumeOfResult(spec, result)) ?? created(info, options);
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
    volumePages,
    awaitCreate: async (task, options = {}) => {
      const info = await tasks.wait(task, options).catch((error: unknown) => {
        if (isVdoError(error, 'VCenterObjectNotFound')) return undefined;
        throw error;
      });
      return info && created(info, options);
    },
  };
};
