import { VdoError } from '@vdo/base/vdo-error';
import type { VimSession } from '../session/vim-session.ts';
import type { FinishedTask } from '../tasks/pending-tasks.ts';
import { cnsQueryVolume } from '../wire/methods/cns.ts';
import { moref } from '../wire/moref.ts';
import type { CnsClient } from './cns-client.ts';
import { volumeError } from './cns-fault.ts';
import { filterSpec, toVolume } from './cns-specs.ts';
import type { CnsCallOptions, CnsVolume } from './cns-types.ts';
import { coalesceQueries } from './coalesce-queries.ts';
import { volumeResults } from './volume-task.ts';

export const volumeManager = moref('CnsVolumeManager', 'cns-volume-manager');

const pageSize = 1000n;

export interface VolumeReader {
  readonly queryVolumes: CnsClient['queryVolumes'];
  readonly volumePages: CnsClient['volumePages'];
  readonly showsAny: CnsClient['showsAny'];
  /** The volume that a finished CnsCreateVolume created. */
  created(info: FinishedTask, options: CnsCallOptions): Promise<CnsVolume>;
}

export const createVolumeReader = ({ vsan, endpoint: { server } }: VimSession): VolumeReader => {
  const volumePages: CnsClient['volumePages'] = async function* (filter, options = {}) {
    // An empty list of IDs means no volumes, but CNS would return all volumes for it.
    if ([filter.volumeIds, filter.names, filter.clusterIds].some((list) => list?.length === 0)) return;
    for (let read = 0; ; ) {
      const args = { _this: volumeManager, filter: filterSpec(filter, { offset: BigInt(read), limit: pageSize }) };
      const page = await vsan.call(cnsQueryVolume, args, options);
      read += page.volumes.length;
      yield page.volumes.map(toVolume);
      if (page.volumes.length === 0 || BigInt(read) >= (page.cursor?.totalRecords ?? 0n)) return;
    }
  };
  const queryVolumes = coalesceQueries(async (filter, options = {}) => {
    const volumes: CnsVolume[] = [];
    for await (const page of volumePages(filter, options)) volumes.push(...page);
    return volumes;
  });

  return {
    queryVolumes,
    volumePages,
    showsAny: async (options = {}) => {
      const args = { _this: volumeManager, filter: filterSpec({}, { offset: 0n, limit: 1n }) };
      return (await vsan.call(cnsQueryVolume, args, options)).volumes.length > 0;
    },
    created: async (info, options) => {
      const call = 'CnsCreateVolume';
      const [result] = volumeResults(info, { server, call });
      if (result?.fault) throw volumeError(result.fault, { server, call, volume: result.volumeId?.id });
      const id = result?.volumeId?.id ?? '';
      const [volume] = await queryVolumes({ volumeIds: [id] }, options);
      if (volume) return volume;
      throw new VdoError({
        code: 'VolumeNotFound',
        message: `vCenter ${server} created the volume ${id}, but does not list it`,
        effect: 'unknown',
        remedy: 'Grant the user of the credentials Secret the privilege Cns.Searchable at the root of the inventory.',
        details: { volume: id },
      });
    },
  };
};
