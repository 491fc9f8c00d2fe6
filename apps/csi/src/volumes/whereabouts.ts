import { VdoError } from '@vdo/base/vdo-error';
import type { CsiVCenter } from './csi-vcenter.ts';
import { assertOwn } from './own-volumes.ts';
import type { Volume, Whereabouts } from './volume.ts';

const kept = (id: string, why: string): VdoError =>
  new VdoError({
    code: 'ActRefused',
    message: `volume ${id} is kept: ${why}`,
    remedy:
      'If its disk is gone or is to be kept, set persistentVolumeReclaimPolicy of the PersistentVolume to Retain and delete it.',
  });

/**
 * Where a volume that this cluster has by a PersistentVolume is. That CNS does not show it proves nothing, its database may lag behind
 * or hide it: then it is where it was noted to be, or on the only vCenter there is.
 */
export const createWhereabouts =
  (deps: {
    readonly vcenters: readonly CsiVCenter[];
    readonly find: (id: string, signal: AbortSignal) => Promise<Volume | undefined>;
    readonly clusterId: string;
  }) =>
  async (id: string, noted: string | undefined, signal: AbortSignal): Promise<Whereabouts> => {
    const { vcenters, clusterId } = deps;
    const volume = await deps.find(id, signal);
    if (volume) assertOwn(volume, clusterId);
    const [only] = vcenters;
    if (noted === undefined && only && vcenters.length === 1) return { server: only.server, instanceUuid: undefined };

    const possible = vcenters.filter(({ server }) => !volume || server === volume.server);
    const identified = await Promise.all(
      possible.map(async (vcenter) => ({
        server: vcenter.server,
        instanceUuid: await vcenter.instanceUuid({ signal }),
      })),
    );
    const [found, ...others] = identified.filter(
      ({ instanceUuid }) => noted === undefined || instanceUuid.toLowerCase() === noted.toLowerCase(),
    );
    if (found && others.length === 0) return found;
    if (noted === undefined) throw kept(id, 'no vCenter shows it, and which of them had it was not noted');
    throw kept(id, `it was on the vCenter with instanceUuid ${noted}, and that is not the one that is asked now`);
  };
