import type { Pod } from '@vdo/kube/types/core';

/** A container that does not run, and why. */
export interface Waiting {
  readonly container: string;
  readonly reason: string;
  readonly message: string;
}

interface WaitingState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
}

export const waitingIn = ({ status }: Pod): readonly Waiting[] =>
  (status?.containerStatuses ?? []).flatMap(({ name, state }) => {
    const { waiting } = (state ?? {}) as WaitingState;
    return waiting?.reason ? [{ container: name, reason: waiting.reason, message: waiting.message ?? '' }] : [];
  });
