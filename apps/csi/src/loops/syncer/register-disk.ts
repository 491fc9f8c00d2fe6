import type { CnsContainerCluster } from '@vdo/vsphere/cns/cns-types';
import type { CsiVCenter } from '../../volumes/csi-vcenter.ts';
import { toVolume } from '../../volumes/volume-locator.ts';
import { volumeNotFound } from '../../volumes/volume-not-found.ts';
import type { RegisterDisk } from './static-volumes.ts';

/** Asks each vCenter to take the first-class disk of this id in as a container volume: one of them has it. */
export const createRegisterDisk =
  (deps: {
    readonly vcenters: readonly CsiVCenter[];
    readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
  }): RegisterDisk =>
  async (diskId, name, { lifetime: signal, fence }) => {
    let failure: unknown;
    for (const { server, cns } of deps.vcenters) {
      try {
        const cluster = await deps.clusterOn(server, { signal });
        return toVolume(server, await cns.registerDisk({ name, backing: { diskId }, cluster }, { signal, fence }));
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
      }
    }
    throw failure ?? volumeNotFound(diskId);
  };
