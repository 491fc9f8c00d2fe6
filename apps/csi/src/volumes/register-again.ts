import type { Logger } from '@vdo/base/logger';
import type { CnsContainerCluster } from '@vdo/vsphere/cns/cns-types';
import type { VolumeIntent } from '../intents/volume-intent.ts';
import type { CallContext } from './call-context.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import { hiddenDiskOf } from './sight.ts';
import type { Volume } from './volume.ts';
import { cnsNameOf } from './volume-id.ts';
import { toVolume } from './volume-locator.ts';

export interface RegisterAgainDeps {
  readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
  readonly logger: Logger;
}

/**
 * A vCenter that was restored from a backup has the first-class disk that an intent asked for, and no container volume for it: without
 * help its claim would wait for ever, and a disk that nobody wants would stay. The disk has the name of the intent, which no other claim
 * can have, and nothing is under way that could still register it. Registering destroys nothing: a vCenter that only hides the volume
 * for a while refuses, and `failure`, the outcome of the lookup, stands.
 */
export const createRegisterAgain =
  ({ clusterOn, logger }: RegisterAgainDeps) =>
  async (
    { name, server }: VolumeIntent,
    vcenter: Pick<CsiVCenter, 'cns'>,
    failure: unknown,
    { lifetime: signal, fence }: CallContext,
  ): Promise<Volume> => {
    const diskId = hiddenDiskOf(failure);
    if (diskId === undefined) throw failure;
    try {
      const cluster = await clusterOn(server, { signal });
      const spec = { name: cnsNameOf(name), backing: { diskId }, cluster };
      const volume = await vcenter.cns.registerDisk(spec, { signal, fence });
      logger.warn('vCenter had the disk of a volume and not the volume: it was registered again', {
        name,
        server,
        diskId,
      });
      return toVolume(server, volume);
    } catch (error) {
      signal.throwIfAborted();
      logger.info('the disk of a volume that vCenter does not show was not registered', {
        name,
        server,
        diskId,
        error,
      });
      throw failure;
    }
  };
