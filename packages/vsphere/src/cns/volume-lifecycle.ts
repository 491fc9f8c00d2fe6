import { isVdoError } from '@vdo/base/vdo-error';
import type { VimSession } from '../session/vim-session.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { cnsCreateVolume } from '../wire/methods/cns.ts';
import type { CnsClient } from './cns-client.ts';
import { type CreateSpec, createSpec, fileSpec, fromSnapshotSpec, registerSpec, volumeOfResult } from './cns-specs.ts';
import type { CnsMutationOptions, CnsVolume } from './cns-types.ts';
import { mutate } from './mutate.ts';
import { type VolumeReader, volumeManager } from './volume-reader.ts';
import { volumeResults } from './volume-task.ts';

type VolumeLifecycle = Pick<
  CnsClient,
  'createBlockVolume' | 'createFromSnapshot' | 'createFileVolume' | 'registerDisk' | 'awaitCreate'
>;

/** Creation and registration of volumes. */
export const createVolumeLifecycle = (
  { vsan, endpoint: { server } }: VimSession,
  tasks: TaskWaiter,
  { created }: Pick<VolumeReader, 'created'>,
): VolumeLifecycle => {
  const _this = volumeManager;
  const order = (spec: CreateSpec, options: CnsMutationOptions) =>
    mutate((sending) => vsan.call(cnsCreateVolume, { _this, createSpecs: [spec] }, sending), tasks, options);
  const create = async (spec: CreateSpec, options: CnsMutationOptions): Promise<CnsVolume> =>
    created(await order(spec, options), options);

  return {
    createBlockVolume: async (spec, options) => {
      const info = await order(createSpec(spec), options);
      const [result] = volumeResults(info, { server, call: 'CnsCreateVolume' });
      return (result && volumeOfResult(spec, result)) ?? created(info, options);
    },
    createFromSnapshot: (spec, options) => create(fromSnapshotSpec(spec), options),
    createFileVolume: (spec, options) => create(fileSpec(spec), options),
    registerDisk: (spec, options) => create(registerSpec(spec), options),
    awaitCreate: async (task, options = {}) => {
      const info = await tasks.wait(task, options).catch((error: unknown) => {
        if (isVdoError(error, 'VCenterTaskForgotten')) return undefined;
        throw error;
      });
      return info && created(info, options);
    },
  };
};
