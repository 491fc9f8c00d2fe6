import { type Clock, sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { CallContext } from '@vdo/csi-proto/rpc/call-context';
import type { ControllerService } from './controller-service.ts';

const tooLong = (method: string, minutes: number): VdoError =>
  new VdoError({
    code: 'DeadlineExceeded',
    message: `${method} has not ended after ${minutes} minutes; vCenter is still at it`,
    remedy:
      'It is waited for again by itself. Look for a task that hangs in vCenter (Monitor, Tasks), and cancel it there.',
  });

/**
 * The controller for callers within the program, who would wait for ever: a task that never ends must not keep a worker. The
 * operation goes on; who asks again joins it.
 */
export const withDeadlines = (
  controller: ControllerService,
  { clock, maxMs = 600_000 }: { readonly clock: Clock; readonly maxMs?: number },
): ControllerService => {
  const limited =
    <Request, Reply>(method: string, handler: (request: Request, context: CallContext) => Promise<Reply>) =>
    async (request: Request, context: CallContext): Promise<Reply> => {
      const over = new AbortController();
      const deadline = sleep(clock, maxMs, { signal: over.signal }).then(() => {
        throw tooLong(method, maxMs / 60_000);
      });
      deadline.catch(() => {});
      const work = handler(request, context);
      work.catch(() => {});
      return Promise.race([work, deadline]).finally(() => over.abort());
    };
  return {
    ...controller,
    createVolume: limited('CreateVolume', controller.createVolume),
    deleteVolume: limited('DeleteVolume', controller.deleteVolume),
    controllerPublishVolume: limited('ControllerPublishVolume', controller.controllerPublishVolume),
    controllerUnpublishVolume: limited('ControllerUnpublishVolume', controller.controllerUnpublishVolume),
    controllerExpandVolume: limited('ControllerExpandVolume', controller.controllerExpandVolume),
    controllerModifyVolume: limited('ControllerModifyVolume', controller.controllerModifyVolume),
    createSnapshot: limited('CreateSnapshot', controller.createSnapshot),
    deleteSnapshot: limited('DeleteSnapshot', controller.deleteSnapshot),
  };
};
