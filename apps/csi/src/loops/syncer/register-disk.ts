import { isVdoError } from '@vdo/base/vdo-error';
import type { CnsContainerCluster } from '@vdo/vsphere/cns/cns-types';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Placer } from '../../placement/placer.ts';
import type { CsiVCenter } from '../../volumes/csi-vcenter.ts';
import type { Volume } from '../../volumes/volume.ts';
import { parseVolumeId } from '../../volumes/volume-id.ts';
import { toVolume } from '../../volumes/volume-locator.ts';
import { volumeNotFound } from '../../volumes/volume-not-found.ts';
import type { RegisterDisk } from './static-volumes.ts';

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

/** Asks each vCenter to register the first-class disk or file share with this ID as a container volume: one of them has it. */
export const createRegisterDisk =
  (deps: {
    readonly vcenters: readonly CsiVCenter[];
    readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
  }): RegisterDisk =>
  async (diskId, name, { lifetime: signal, fence }) => {
    let failure: unknown;
    const backing = parseVolumeId(diskId)?.kind === 'file' ? { fileId: diskId } : { diskId };
    for (const { server, cns } of deps.vcenters) {
      try {
        const cluster = await deps.clusterOn(server, { signal });
        return toVolume(server, await cns.registerDisk({ name, backing, cluster }, { signal, fence }));
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
      }
    }
    throw failure ?? volumeNotFound(diskId);
  };
