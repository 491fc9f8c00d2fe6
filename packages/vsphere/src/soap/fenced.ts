import type { Fence } from '@vdo/base/fence';
import type { CallOptions } from './soap-client.ts';

/** For a call that changes something: the fence is asserted right before each sending, so after a login and before a repetition. */
export const fenced = <O extends CallOptions>({ fence, ...call }: O & { readonly fence: Fence }): CallOptions => ({
  ...call,
  beforeSend: () => fence.assertHeld(),
});
