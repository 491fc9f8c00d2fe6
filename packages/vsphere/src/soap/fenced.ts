import type { Fence } from '@vdo/base/fence';
import type { CallOptions } from './soap-client.ts';

/** For calls that change something: the fence is checked right before each request, so also after a login and before a retry. */
export const fenced = <O extends CallOptions>({ fence, ...call }: O & { readonly fence: Fence }): CallOptions => ({
  ...call,
  beforeSend: () => fence.assertHeld(),
});
