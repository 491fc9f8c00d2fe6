import type { Clock } from '@vdo/base/clock';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { allChecks } from '@vdo/checks/all-checks';
import { type Check, type CheckGroup, type CheckTally, cadence, checkGroups } from '@vdo/checks/check';
import { createCheckMetrics } from '@vdo/checks/check-metrics';
import type { ClusterFacts } from '@vdo/checks/facts';
import { checksOf } from '@vdo/checks/run-checks';
import { tallyChecks } from '@vdo/checks/tally';
import { annotationKeys } from '@vdo/config/names';
import type { GatherDeps, Probes } from '@vdo/gather/gather-deps';
import { gatherFacts } from '@vdo/gather/gather-facts';
import { createGatherMemory } from '@vdo/gather/gather-memory';
import { timestamp } from '@vdo/kube/conditions';
import type { ChecksObservation } from '../observation.ts';
import { observeOutcomes } from './observe-outcomes.ts';
import { createRounds } from './rounds.ts';

/** Asks for all checks now: any new value of this annotation. */
export const runChecksAnnotation = annotationKeys.runChecks;

export type CheckContext = Omit<GatherDeps, 'clock' | 'probes' | 'memory'>;

export interface CheckRunner {
  /** Runs the groups that are due, and tells what all last runs together mean. */
  look(
    context: CheckContext,
    options: {
      readonly installed: boolean;
      /** Pods are being rolled out: checks of workloads would tell nothing but that. */
      readonly settling: boolean;
      /** Another text than last time runs everything. */
      readonly request: string;
      /** What groups look at that no watch tells of, in words: other words than last time run the group. */
      readonly inputs: Readonly<Partial<Record<CheckGroup, string>>>;
      readonly signal: AbortSignal;
    },
  ): Promise<ChecksObservation>;
  /** What the last runs mean; undefined before the first. */
  last(): ChecksObservation | undefined;
  /** Something changed that groups with a watch look at. */
  touch(): void;
  dueInMs(): number;
}

export interface CheckRunnerOptions {
  /** Default: all there are. */
  readonly checks?: readonly Check[] | undefined;
  readonly probes: Probes;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  /** Told what each run gathered. */
  readonly onFacts?: (facts: ClusterFacts) => Promise<void>;
  /** Told each container volume that a run reads. */
  readonly onVolume?: GatherDeps['onVolume'];
}

/** Changes come in bursts, and each look costs calls to vCenter. */
const touchMs = 60_000;
/** Who waits for an installation is shown soon that the cause is gone. */
const blockedMs = 60_000;
/** The time of the last run alone is no reason to write the status. */
const restampMs = 3_600_000;

export const createCheckRunner = (given: CheckRunnerOptions): CheckRunner => {
  const { checks = allChecks, probes, clock, random, metrics, onFacts, onVolume } = given;
  const memory = createGatherMemory();
  const rounds = createRounds({ clock, random });
  const shown = createCheckMetrics(metrics);
  const tallies = new Map<CheckGroup, readonly CheckTally[]>();
  const dueMs = new Map<CheckGroup, number>();
  const ranMs = new Map<CheckGroup, number>();
  let request: string | undefined;
  let inputs: Readonly<Partial<Record<CheckGroup, string>>> = {};
  let last: ChecksObservation | undefined;
  let stampedMs = 0;

  const all = (): readonly CheckTally[] => checkGroups.flatMap((group) => tallies.get(group) ?? []);

  const run = async (context: CheckContext, groups: readonly CheckGroup[], signal: AbortSignal): Promise<void> => {
    const facts = await gatherFacts(
      { ...context, clock, probes, memory, ...(onVolume ? { onVolume } : {}) },
      { groups },
      { signal },
    );
    await onFacts?.(facts);
    const results = tallyChecks(checksOf(checks, groups), facts);
    shown.show(results);
    for (const group of groups) {
      const own = results.filter(({ id }) => id.startsWith(`${group}/`));
      tallies.set(group, own);
      const blocks = own
        .flatMap(({ notable }) => notable)
        .some(({ action }) => action === 'BlockInstall' || action === 'BlockUpgradeOrDegrade');
      const everyMs = blocks ? Math.min(cadence[group].everyMs, blockedMs * 5) : cadence[group].everyMs;
      ranMs.set(group, clock.monotonicMs());
      dueMs.set(group, rounds.nextMs(everyMs));
    }
  };

  const observe = (installed: boolean, asked: boolean): ChecksObservation => {
    const previous = last?.summary;
    const next = observeOutcomes(all(), { installed, lastRunTime: timestamp(clock.now()) });
    const { lastRunTime: _, ...now } = next.summary;
    const { lastRunTime: time, ...before } = previous ?? {};
    const same =
      JSON.stringify(now) === JSON.stringify(before) && clock.monotonicMs() - stampedMs < restampMs && !asked;
    if (!same) stampedMs = clock.monotonicMs();
    return same && time !== undefined ? { ...next, summary: { ...next.summary, lastRunTime: time } } : next;
  };

  return {
    look: async (context, options) => {
      const asked = request !== undefined && options.request !== request;
      request = options.request;
      const nowMs = clock.monotonicMs();
      const installBlocked = !options.installed && (last?.installBlockers.length ?? 0) > 0;
      const isDue = (group: CheckGroup): boolean =>
        asked ||
        options.inputs[group] !== inputs[group] ||
        rounds.isNow(dueMs.get(group) ?? 0) ||
        (installBlocked && nowMs - (ranMs.get(group) ?? 0) >= blockedMs);
      // Not before the pods have settled, and no look for its sake alone.
      if (options.settling && dueMs.has('CS')) dueMs.set('CS', nowMs + touchMs);
      const groups = checkGroups.filter((group) => isDue(group) && !(options.settling && group === 'CS'));
      if (groups.length > 0) await run(context, groups, options.signal);
      inputs = options.inputs;
      last = groups.length > 0 || !last ? observe(options.installed, asked) : last;
      return last;
    },
    last: () => last,
    touch: () => {
      for (const group of checkGroups) {
        const ran = ranMs.get(group);
        if (!cadence[group].onWatch || ran === undefined) continue;
        dueMs.set(group, Math.min(dueMs.get(group) ?? 0, Math.max(clock.monotonicMs(), ran + touchMs)));
      }
    },
    dueInMs: () =>
      dueMs.size === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.min(...dueMs.values()) - clock.monotonicMs()),
  };
};
