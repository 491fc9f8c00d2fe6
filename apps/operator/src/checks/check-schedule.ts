import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { type CheckGroup, cadence, checkGroups } from '@vdo/checks/check';
import { createRounds } from './rounds.ts';

/** How a failing group can be checked again: without reading all volumes, or only by reading them. */
export type Failing = 'quick' | 'full';

/**
 * What the watch of a vCenter reports: a change that a check may judge as a fault, another change, which matters while a check fails,
 * or that the session or vCenter itself is lost or is back.
 */
export type VCenterNews = 'alarm' | 'change' | 'interrupted' | 'restored';

/** When each group of checks runs. */
export interface CheckSchedule {
  /** Why the group runs now: its regular round, or a retry because it fails. */
  due(group: CheckGroup): 'round' | 'again' | undefined;
  /** A retry made this many calls to a vCenter: the next retries wait for it. To be called before `ran`. */
  spent(calls: number): void;
  ran(group: CheckGroup, failing: Failing | undefined): void;
  ranMsAgo(group: CheckGroup): number;
  /** Not before this time, and no pass for this alone. */
  postpone(group: CheckGroup): void;
  /** Something changed that groups with a watch judge. */
  touch(): void;
  /** True if a group runs earlier because of it. */
  touchVCenter(news: VCenterNews): boolean;
  dueInMs(): number;
}

/** Delay after a change: changes come in bursts, and each run costs calls to vCenter. */
const touchMs = 60_000;
/** Delay while a check fails: a repair must show soon. */
const touchFailingMs = 5_000;
/** How often failing checks run again without any event: some faults send none. */
const againMs: Readonly<Record<Failing, number>> = { quick: 45_000, full: 5 * 60_000 };

/**
 * Retries make at most eight calls a minute to a vCenter, whatever fails at the same time: with rounds and the long poll, ten. But no retry
 * waits longer than this.
 */
const callMs = 7_500;
const longestMs = 5 * 60_000;

/** Runs because of news while no check fails: this many at once, then one per minute. */
const promptAlarms = 5;

const concerned: Readonly<Record<VCenterNews, readonly CheckGroup[]>> = {
  alarm: ['node', 'topology', 'storage', 'privileges'],
  change: ['node', 'topology', 'storage', 'privileges'],
  interrupted: ['vcenter', 'credentials'],
  restored: ['vcenter', 'credentials'],
};
/** Groups that run on news although none fails: topology and privileges cannot be judged from one VM or datastore. */
const alarmed: Readonly<Record<VCenterNews, readonly CheckGroup[]>> = {
  alarm: ['node', 'storage'],
  change: [],
  interrupted: ['vcenter', 'credentials'],
  restored: [],
};

/** A burst at once, then one per minute. */
const createAllowance = (clock: Clock) => {
  let spent = { count: 0, atMs: clock.monotonicMs() };
  return {
    spend: (): boolean => {
      const nowMs = clock.monotonicMs();
      const count = Math.max(0, spent.count - (nowMs - spent.atMs) / touchMs);
      if (count > promptAlarms - 1) return false;
      spent = { count: count + 1, atMs: nowMs };
      return true;
    },
  };
};

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

  const alarms = createAllowance(clock);
  /** Until then the calls of earlier retries use up what is allowed. */
  let paidMs = 0;

  /** Earlier than scheduled, but not too soon after the last run. */
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
    spent: (calls) => {
      const nowMs = clock.monotonicMs();
      paidMs = Math.min(Math.max(paidMs, nowMs) + calls * callMs, nowMs + longestMs);
    },
    ran: (group, failing) => {
      const nowMs = clock.monotonicMs();
      ranMs.set(group, nowMs);
      if (failing) retryMs.set(group, Math.max(nowMs + againMs[failing], paidMs));
      else retryMs.delete(group);
      // An extra run does not move the regular round of a group.
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
    touchVCenter: (news) => {
      const failing = concerned[news].filter((group) => retryMs.has(group));
      for (const group of failing) hasten(group, touchFailingMs);
      const well = alarmed[news].filter((group) => ranMs.has(group) && !retryMs.has(group));
      if (well.length === 0) return failing.length > 0;
      const distanceMs = alarms.spend() ? touchFailingMs : touchMs;
      // An extra run does not read all volumes.
      for (const group of well) retryMs.set(group, Math.max(clock.monotonicMs(), (ranMs.get(group) ?? 0) + distanceMs));
      return true;
    },
    dueInMs: () => {
      const times = [...roundMs.values(), ...retryMs.values()];
      return times.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.min(...times) - clock.monotonicMs());
    },
  };
};
