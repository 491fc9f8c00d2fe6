import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import { evidenceLivesMs } from '../act-log.ts';
import type { Evidence } from '../evidence.ts';
import type { SoleUse } from '../sole-use.ts';
import { orderOf } from './mint.ts';
import { evidenceMissing } from './refusals.ts';

export interface AttemptInOrder {
  readonly act: string;
  readonly subject: string;
  readonly order: number;
  readonly clock: Clock;
  readonly fence: Fence;
  readonly soleUse: SoleUse;
}

/** Throws unless the Lease is held, no other cluster has the same ID, and the evidence was read since the attempt began, is recent enough and still true. */
export const assertGood = (
  { act, subject, order, clock, fence, soleUse }: AttemptInOrder,
  evidence: readonly Evidence[],
): void => {
  const nowMs = clock.monotonicMs();
  for (const piece of evidence) {
    const what = piece.facts.map((fact) => fact.what).join(', ');
    if (orderOf(piece) < order)
      throw evidenceMissing(`cannot ${act} ${subject}: ${what} was read before the attempt began`);
    if (nowMs - piece.readMs > evidenceLivesMs)
      throw evidenceMissing(
        `cannot ${act} ${subject}: ${what} was read ${((nowMs - piece.readMs) / 1000).toFixed(1)} s ago`,
      );
  }
  soleUse.assertAlone();
  // Last, so that nothing happens between this check and the request.
  fence.assertHeld();
};
