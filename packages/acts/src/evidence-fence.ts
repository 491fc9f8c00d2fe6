import type { Fence } from '@vdo/base/fence';
import type { Attempt } from './attempt.ts';
import type { Evidence } from './evidence.ts';
import { meansOf } from './internal/perform.ts';
import { evidenceMissing } from './internal/refusals.ts';

/** For an act on vCenter: whoever sends it asserts this fence right before. It holds while the evidence does, and records each sending. */
export const evidenceFence = (attempt: Attempt, evidence: readonly [Evidence, ...Evidence[]]): Fence => {
  const { clock, log } = meansOf(attempt);
  const { id, act, subject, beganMs } = attempt;
  if (evidence.length === 0) throw evidenceMissing(`cannot ${act} ${subject} on no evidence`);
  return {
    assertHeld: () => {
      attempt.assertGood(...evidence);
      const facts = evidence.flatMap((piece) => piece.facts);
      log.record({ attempt: id, act, subject, attemptBeganMs: beganMs, sentMs: clock.monotonicMs(), evidence: facts });
    },
  };
};
