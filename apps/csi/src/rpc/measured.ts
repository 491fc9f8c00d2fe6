import type { OperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { aroundHandlers } from './around-handlers.ts';
import type { ControllerService } from './controller-service.ts';

/** The controller for callers within the program, who are counted like those that come over the socket. */
export const measured = (controller: ControllerService, observer: OperationObserver): ControllerService =>
  aroundHandlers(
    controller,
    (method, handler) => (request, context) => observer.observe(method, {}, () => handler(request, context)),
  );
