import type { Clock } from '@vdo/base/clock';
import { toVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { AnyObject } from '@vdo/kube/types/object';

/** How long an answer is cached: a dry run of all objects takes about 70 calls. */
const againAfterMs = 5 * 60_000;

type Call = { readonly signal: AbortSignal };

/** Asks the API server in a dry run whether it would accept all objects of a change before the first of them is applied. */
export interface Rehearsal {
  /** Why the API server would reject them; undefined if it would not. */
  problem(objects: readonly AnyObject[], call: Call): Promise<VdoError | undefined>;
}

export const createRehearsal = ({
  rehearse,
  clock,
}: {
  readonly rehearse: (objects: readonly AnyObject[], call: Call) => Promise<void>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}): Rehearsal => {
  let accepted: { readonly text: string; readonly atMs: number } | undefined;
  let refused: { readonly text: string; readonly problem: VdoError; readonly atMs: number } | undefined;
  return {
    problem: async (objects, call) => {
      const text = JSON.stringify(objects);
      const nowMs = clock.monotonicMs();
      if (accepted?.text === text && nowMs - accepted.atMs < againAfterMs) return undefined;
      if (refused?.text === text && nowMs - refused.atMs < againAfterMs) return refused.problem;
      refused = undefined;
      try {
        await rehearse(objects, call);
        accepted = { text, atMs: nowMs };
        return undefined;
      } catch (error) {
        call.signal.throwIfAborted();
        refused = { text, problem: toVdoError(error), atMs: nowMs };
        return refused.problem;
      }
    },
  };
};
