import type { CallContext } from './call-context.ts';
import type { OperationObserver } from './operation-observer.ts';

/** A handler whose calls from within the program are counted like those that come over the socket. */
export const measured =
  <Request, Reply>(
    observer: OperationObserver,
    method: string,
    handler: (request: Request, context: CallContext) => Promise<Reply>,
  ): ((request: Request, context: CallContext) => Promise<Reply>) =>
  (request, context) =>
    observer.observe(method, {}, () => handler(request, context));
