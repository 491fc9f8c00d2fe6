import type { Logger } from '@vdo/base/logger';
import type { CnsContainerCluster } from '@vdo/vsphere/cns/cns-types';
import type { CallContext } from './call-context.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import { hiddenDiskOf } from './sight.ts';
import type { Volume } from './volume.ts';
import { toVolume } from './volume-locator.ts';

export interface RegisterAgainDeps {
  readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
  readonly logger: Logger;
}

/**
 * After a restore from a backup, vCenter may have the first-class disk of an intent (or of the original that it copies), but no container
 * volume for it. Without this repair the claim would wait forever, and a disk that is no longer needed, or a volume that is to be deleted,
 * would remain. This is safe: the disk of an intent has the intent's name, which no other claim can have, and no operation is in progress
 * that could still register it; the original was a volume of this cluster. Registering deletes nothing. If vCenter only hides the volume
 * temporarily, it refuses to register the disk, and `failure`, the result of the lookup, is kept.
 */
export const createRegisterAgain =
  ({ clusterOn, logger }: RegisterAgainDeps) =>
  async (
    vcenters: readonly Pick<CsiVCenter, 'cns' | 'server'>[],
    failure: unknown,
    { lifetime: signal, fence }: CallContext,
  ): Promise<Volume> => {
    const hidden = hiddenDiskOf(failure);
    const vcenter = vcenters.find((one) => one.server === hidden?.server);
    if (!hidden || !vcenter) throw failure;
    const { server, id: diskId, name } = hidden;
    try {
      const cluster = await clusterOn(server, { signal });
      const spec = { name, backing: { diskId }, cluster };
      const volume = await vcenter.cns.registerDisk(spec, { signal, fence });
      logger.warn('vCenter had the disk of a volume but not the volume; the disk was registered again', {
        name,
        server,
        diskId,
      });
      return toVolume(server, volume);
    } catch (error) {
      signal.throwIfAborted();
      logger.info('the disk of a volume that vCenter does not list was not registered', {
        name,
        server,
        diskId,
        error,
      });
      throw failure;
    }
  };
