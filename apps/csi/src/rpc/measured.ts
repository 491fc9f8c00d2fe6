import type { CallContext } from '@vdo/csi-proto/rpc/call-context';
import type { OperationObserver } from '@vdo/csi-proto/rpc/operation-observer';

/** A handler whose calls from within the program are counted like those that come over the socket. */
export const measured =
  <Request, Reply>(
    observer: OperationObserver,
    method: string,
    handler: (request: Request, context: CallContext) => Promise<Reply>,
  ): ((request: Request, context: CallContext) => Promise<Reply>) =>
  (request, context) =>
    observer.observe(method, {}, () => handler(request, context));
