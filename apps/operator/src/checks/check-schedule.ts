import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { type CheckGroup, cadence, checkGroups } from '@vdo/checks/check';
import { createRounds } from './rounds.ts';

/** How a failing group can be checked again: without reading all volumes, or only with them. */
export type Failing = 'quick' | 'full';

/** When each group of checks runs. */
export interface CheckSchedule {
  /** Why the group runs now: its round has come, or it is checked again because it fails. */
  due(group: CheckGroup): 'round' | 'again' | undefined;
  ran(group: CheckGroup, failing: Failing | undefined): void;
  ranMsAgo(group: CheckGroup): number;
  /** Not before this time, and no pass for its sake alone. */
  postpone(group: CheckGroup): void;
  /** Something changed that groups with a watch judge. */
  touch(): void;
  /** vCenter's inventory changed: failing groups that judge it run again. */
  touchInventory(): void;
  dueInMs(): number;
}

/** Changes come in bursts, and each run costs calls to vCenter. */
const touchMs = 60_000;
/** Somebody who repairs something wants to see it soon. */
const touchFailingMs = 5_000;
/** How often failing checks run again, whatever happens: some faults send no event. */
const againMs: Readonly<Record<Failing, number>> = { quick: 45_000, full: 5 * 60_000 };

const ofInventory: readonly CheckGroup[] = ['node', 'topology', 'storage', 'privileges'];

export const createCheckSchedule = ({
  clock,
  random,
}: {
  readonly clock: Clock;
  readonly random: Random;
}): CheckSchedule => {
  const rounds = createRounds({ clock, random });
  const roundMs = new Map<CheckGroup, number>();
  const ranMs = new Map<CheckGroup, number>();
  const retryMs = new Map<CheckGroup, number>();

  /** Earlier than planned, but not too soon after the last run. */
  const hasten = (group: CheckGroup, distanceMs: number): void => {
    const ran = ranMs.get(group);
    if (ran === undefined) return;
    const atMs = Math.max(clock.monotonicMs(), ran + distanceMs);
    const plan = retryMs.has(group) ? retryMs : roundMs;
    plan.set(group, Math.min(plan.get(group) ?? atMs, atMs));
  };

  return {
    due: (group) => {
      if (rounds.isNow(roundMs.get(group) ?? 0)) return 'round';
      return (retryMs.get(group) ?? Number.POSITIVE_INFINITY) <= clock.monotonicMs() ? 'again' : undefined;
    },
    ran: (group, failing) => {
      const nowMs = clock.monotonicMs();
      ranMs.set(group, nowMs);
      if (failing) retryMs.set(group, nowMs + againMs[failing]);
      else retryMs.delete(group);
      // A group that is checked again out of turn keeps its round.
      if (rounds.isNow(roundMs.get(group) ?? 0)) roundMs.set(group, rounds.nextMs(cadence[group].everyMs));
    },
    ranMsAgo: (group) => clock.monotonicMs() - (ranMs.get(group) ?? Number.NEGATIVE_INFINITY),
    postpone: (group) => {
      if (roundMs.has(group)) roundMs.set(group, clock.monotonicMs() + touchMs);
      if (retryMs.has(group)) retryMs.set(group, clock.monotonicMs() + touchMs);
    },
    touch: () => {
      for (const group of checkGroups)
        if (cadence[group].onWatch) hasten(group, retryMs.has(group) ? touchFailingMs : touchMs);
    },
    touchInventory: () => {
      for (const group of ofInventory) if (retryMs.has(group)) hasten(group, touchFailingMs);
    },
    dueInMs: () => {
      const times = [...roundMs.values(), ...retryMs.values()];
      return times.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.min(...times) - clock.monotonicMs());
    },
  };
};
