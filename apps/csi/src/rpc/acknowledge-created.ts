import type { Logger } from '@vdo/base/logger';
import type { Volumes } from '../volumes/volumes.ts';
import type { ControllerService } from './controller-service.ts';

/**
 * The controller for external callers. It is not known when they record a volume, so the intent is removed together with the reply. If the
 * reply is lost, their retry finds the volume by its name. The built-in provisioner acknowledges later: after the PersistentVolume exists.
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
      .catch((error) => logger.warn('cannot remove the intent of a finished volume', { name: request.name, error }));
    return reply;
  },
});
