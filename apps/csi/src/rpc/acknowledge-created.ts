import type { Logger } from '@vdo/base/logger';
import type { Controller } from '../gen/csi-pb.ts';
import type { VolumeService } from '../volumes/volume.ts';
import type { ServiceHandlers } from './service-handlers.ts';

/**
 * The controller as outside callers see it. When they record a volume is not ours to know, so its intent goes with the
 * reply; if the reply is lost, their retry finds the volume by its name. The built-in provisioner does better: it acknowledges after the
 * PersistentVolume exists.
 */
export const acknowledgeCreated = (
  controller: ServiceHandlers<typeof Controller>,
  { volumes, logger }: { readonly volumes: VolumeService; readonly logger: Logger },
): ServiceHandlers<typeof Controller> => {
  const { createVolume } = controller;
  if (!createVolume) return controller;
  return {
    ...controller,
    createVolume: async (request, context) => {
      const reply = await createVolume(request, context);
      await volumes
        .acknowledge(request.name, context)
        .catch((error) => logger.warn('intent of a finished volume not removed', { name: request.name, error }));
      return reply;
    },
  };
};
