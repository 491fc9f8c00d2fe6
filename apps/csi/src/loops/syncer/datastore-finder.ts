import { isVdoError } from '@vdo/base/vdo-error';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Placer } from '../../placement/placer.ts';
import type { Volume } from '../../volumes/volume.ts';

/** Finds the datastore that a volume is on, among those that all nodes mount; undefined if it is none of them. */
export const createDatastoreFinder =
  (placer: Pick<Placer, 'place'>) =>
  async ({ server, datastoreUrl }: Volume, signal: AbortSignal): Promise<MoRef | undefined> => {
    try {
      const { vcenter, datastores } = await placer.place({ topologies: [], datastoreUrl }, { signal });
      return vcenter.server === server ? datastores.find(({ url }) => url === datastoreUrl)?.ref : undefined;
    } catch (error) {
      if (isVdoError(error, 'VolumeNoDatastore')) return undefined;
      throw error;
    }
  };
