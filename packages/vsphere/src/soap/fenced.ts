import type { Fence } from '@vdo/base/fence';
import type { CallOptions } from './soap-client.ts';

/** For calls that change something: the fence is checked right before each request, so also after a login and before a retry. vCenter logs the operation. */
export const fenced = <O extends CallOptions>({ fence, ...call }: O & { readonly fence: Fence }): CallOptions => ({
  ...call,
  operationId: fence.operationId,
  beforeSend: () => fence.assertHeld(),
});
