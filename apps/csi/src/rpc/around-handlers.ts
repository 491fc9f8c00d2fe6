import type { CallContext } from '@vdo/csi-proto/rpc/call-context';
import type { ControllerService } from './controller-service.ts';

type Handler = (request: unknown, context: CallContext) => Promise<unknown>;

/** As CSI writes it: `createVolume` is CreateVolume. */
const methodOf = (key: string): string => `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`;

/** The same service with something around each of its operations, those that are added later among them. */
export const aroundHandlers = (
  service: ControllerService,
  around: (method: string, handler: Handler) => Handler,
): ControllerService => {
  const entries = Object.entries(service) as [string, Handler][];
  return Object.fromEntries(
    entries.map(([key, handler]) => [key, around(methodOf(key), handler)]),
  ) as unknown as ControllerService;
};
