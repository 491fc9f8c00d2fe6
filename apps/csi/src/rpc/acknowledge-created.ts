import type { Logger } from '@vdo/base/logger';
import type { Volumes } from '../volumes/volumes.ts';
import type { ControllerService } from './controller-service.ts';

/**
 * The controller as outside callers see it. When they record a volume is not ours to know, so its intent goes with the
 * reply; if the reply is lost, their retry finds the volume by its name. The built-in provisioner does better: it acknowledges after the
 * PersistentVolume exists.
 */
export const acknowledgeCreated = (
  controller: ControllerService,
  { volumes, logger }: { readonly volumes: Pick<Volumes, 'acknowledge'>; readonly logger: Logger },
): ControllerService => ({
  ...controller,
  createVolume: async (request, context) => {
    const reply = await controller.createVolume(request, context);
    await volumes
      .acknowledge(request.name, context)
      .catch((error) => logger.warn('intent of a finished volume not removed', { name: request.name, error }));
    return reply;
  },
});
