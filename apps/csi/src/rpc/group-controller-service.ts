import { VdoError } from '@vdo/base/vdo-error';
import type { GroupController } from '@vdo/csi-proto/gen/csi-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';

const refused = (call: string): VdoError =>
  new VdoError({
    code: 'Unimplemented',
    message: `${call} is refused: vCenter takes snapshots of container volumes one by one, so that a group would have no single point in time`,
    remedy:
      'Stop the application or freeze its file systems, take a VolumeSnapshot of each claim, and let the application continue.',
  });

const refuse = (call: string) => async (): Promise<never> => {
  throw refused(call);
};

/** Snapshots of groups of volumes. The driver does not advertise this service; a caller that tries it anyway gets the reason. */
export const createGroupControllerService = (): ServiceHandlers<typeof GroupController> => ({
  groupControllerGetCapabilities: async () => ({ capabilities: [] }),
  createVolumeGroupSnapshot: refuse('CreateVolumeGroupSnapshot'),
  deleteVolumeGroupSnapshot: refuse('DeleteVolumeGroupSnapshot'),
  getVolumeGroupSnapshot: refuse('GetVolumeGroupSnapshot'),
});
