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
 * A vCenter that was restored from a backup has the first-class disk that an intent asked for, or was to copy, and no container volume for
 * it: without help its claim would wait for ever, a disk that nobody wants would stay, and so would what is to be deleted of the volume.
 * The first has the name of the intent, which no other claim can have, and nothing is under way that could still register it; the other
 * was a volume of this cluster. Registering destroys nothing: a vCenter that only hides the volume for a while refuses, and `failure`, the
 * outcome of the lookup, stands.
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
