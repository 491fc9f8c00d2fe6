import { type Clock, sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { aroundHandlers } from './around-handlers.ts';
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
): ControllerService =>
  aroundHandlers(controller, (method, handler) => async (request, context) => {
    const over = new AbortController();
    const deadline = sleep(clock, maxMs, { signal: over.signal }).then(() => {
      throw tooLong(method, maxMs / 60_000);
    });
    deadline.catch(() => {});
    const work = handler(request, context);
    work.catch(() => {});
    return Promise.race([work, deadline]).finally(() => over.abort());
  });
