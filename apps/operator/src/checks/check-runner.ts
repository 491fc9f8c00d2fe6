import type { Clock } from '@vdo/base/clock';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { allChecks } from '@vdo/checks/all-checks';
import {
  type Check,
  type CheckGroup,
  type CheckOutcome,
  type CheckTally,
  checkGroups,
  groupOf,
} from '@vdo/checks/check';
import { createCheckMetrics } from '@vdo/checks/check-metrics';
import { underWay } from '@vdo/checks/csi/workload-checks';
import type { ClusterFacts } from '@vdo/checks/facts';
import { checksOf } from '@vdo/checks/run-checks';
import { tallyChecks } from '@vdo/checks/tally';
import { annotationKeys } from '@vdo/config/names';
import type { GatherDeps, Probes } from '@vdo/gather/gather-deps';
import { gatherFacts } from '@vdo/gather/gather-facts';
import { createGatherMemory } from '@vdo/gather/gather-memory';
import { timestamp } from '@vdo/kube/conditions';
import type { ChecksObservation } from '../observation.ts';
import { createCheckSchedule, type Failing, type VCenterNews } from './check-schedule.ts';
import { observeOutcomes } from './observe-outcomes.ts';

/** A new value of this annotation requests a run of all checks. */
export const runChecksAnnotation = annotationKeys.runChecks;

export type CheckContext = Omit<GatherDeps, 'clock' | 'probes' | 'memory'>;

export interface CheckRunner {
  /** Runs the groups whose time has come, and returns what the last results of all groups mean. */
  observe(
    context: CheckContext,
    options: {
      readonly installed: boolean;
      /** Pods are being rolled out: checks of workloads would report only that. */
      readonly settling: boolean;
      /** A text that differs from the last one runs all checks. */
      readonly request: string;
      /** Inputs of groups that no watch reports, as text: a different text than last time runs the group. */
      readonly inputs: Readonly<Partial<Record<CheckGroup, string>>>;
      readonly signal: AbortSignal;
    },
  ): Promise<ChecksObservation>;
  /** What the last results mean; undefined before the first run. */
  last(): ChecksObservation | undefined;
  /** Something changed that groups with a watch read. */
  touch(): void;
  /** The watch of a vCenter reports news. True if checks run earlier because of it. */
  touchVCenter(news: VCenterNews): boolean;
  /** Whether a check of vCenter's inventory fails, so that a change there matters. */
  awaitsInventory(): boolean;
  /** How long ago the connections to the vCenters were tested; Infinity if they never were. */
  testedMsAgo(): number;
  dueInMs(): number;
}

export interface CheckRunnerOptions {
  /** Default: all checks. */
  readonly checks?: readonly Check[] | undefined;
  readonly probes: Probes;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  /** Called with the facts of each run. */
  readonly onFacts?: (facts: ClusterFacts) => Promise<void>;
  /** Called with each container volume that a run reads. */
  readonly onVolume?: GatherDeps['onVolume'];
}

/** While an installation is blocked, checks run often, so that a repair shows soon. */
const blockedMs = 60_000;
/** How often a run without changes is written to the status, which shows its age. */
const restampMs = 4 * 60_000;

/** What fails, and what is under way: its warning is outdated within seconds. */
const isAwaited = ({ result, reason }: CheckOutcome): boolean =>
  result === 'Fail' || (result === 'Warn' && underWay.has(reason));

/** How the results among these that will not stay as they are can be checked again. */
const failingOf = (tallies: readonly CheckTally[], needsVolumes: (id: string) => boolean): Failing | undefined => {
  const failing = tallies.filter(({ notable }) => notable.some(isAwaited));
  if (failing.length === 0) return undefined;
  return failing.every(({ id }) => needsVolumes(id)) ? 'full' : 'quick';
};

const hasResult = (tallies: readonly CheckTally[] = [], wanted: 'Fail' | 'Unknown'): boolean =>
  tallies.some(({ counts }) => counts.some(({ result }) => result === wanted));

interface Run {
  readonly groups: readonly CheckGroup[];
  readonly withoutVolumes: boolean;
  /** More than a retry of what fails: a regular round, a request, or what could not be judged before. */
  readonly isRound: boolean;
}

export const createCheckRunner = (given: CheckRunnerOptions): CheckRunner => {
  const { checks = allChecks, probes, clock, random, metrics, onFacts, onVolume } = given;
  const memory = createGatherMemory();
  const schedule = createCheckSchedule({ clock, random });
  const shown = createCheckMetrics(metrics);
  const tallies = new Map<CheckGroup, readonly CheckTally[]>();
  const volumeChecks = new Set(checks.filter((check) => check.readsVolumes).map(({ id }): string => id));
  let request: string | undefined;
  let inputs: Readonly<Partial<Record<CheckGroup, string>>> = {};
  let last: ChecksObservation | undefined;
  let stampedMs = 0;

  const all = (): readonly CheckTally[] => checkGroups.flatMap((group) => tallies.get(group) ?? []);
  const fails = (group: CheckGroup): boolean => hasResult(tallies.get(group), 'Fail');

  const run = async (
    context: CheckContext,
    { groups, withoutVolumes, isRound }: Run,
    signal: AbortSignal,
  ): Promise<void> => {
    const clients = context.vcenters.flatMap(({ vcenter }) => ('calls' in vcenter ? [vcenter] : []));
    const before = clients.map(({ calls }) => calls());
    const facts = await gatherFacts(
      { ...context, clock, probes, memory, ...(onVolume ? { onVolume } : {}) },
      { groups, withoutVolumes },
      { signal },
    );
    // The calls of rounds are limited by their cadence.
    if (!isRound) schedule.spent(Math.max(0, ...clients.map(({ calls }, index) => calls() - (before[index] ?? 0))));
    await onFacts?.(facts);
    const chosen = checksOf(checks, groups).filter(({ id }) => !withoutVolumes || !volumeChecks.has(id));
    const results = tallyChecks(chosen, facts);
    shown.show(results);
    for (const group of groups) {
      const fresh = results.filter((one) => groupOf(one) === group);
      const kept = (tallies.get(group) ?? []).filter(({ id }) => !fresh.some((one) => one.id === id));
      const own = [...fresh, ...kept];
      tallies.set(group, own);
      schedule.ran(
        group,
        failingOf(own, (id) => volumeChecks.has(id)),
      );
    }
  };

  const observe = (installed: boolean, asked: boolean): ChecksObservation => {
    const previous = last?.summary;
    const next = observeOutcomes(all(), { installed, lastRunTime: timestamp(clock.now()) });
    const { lastRunTime: _, ...now } = next.summary;
    const { lastRunTime: time, ...before } = previous ?? {};
    const isFailing = checkGroups.some(fails);
    const isRecent = !isFailing && clock.monotonicMs() - stampedMs < restampMs;
    const same = JSON.stringify(now) === JSON.stringify(before) && isRecent && !asked;
    if (!same) stampedMs = clock.monotonicMs();
    return same && time !== undefined ? { ...next, summary: { ...next.summary, lastRunTime: time } } : next;
  };

  return {
    observe: async (context, options) => {
      const { installed, settling, signal } = options;
      const asked = request !== undefined && options.request !== request;
      request = options.request;
      const installBlocked = !installed && (last?.installBlockers.length ?? 0) > 0;
      const isWhole = (group: CheckGroup): boolean =>
        asked ||
        options.inputs[group] !== inputs[group] ||
        schedule.due(group) === 'round' ||
        (installBlocked && schedule.ranMsAgo(group) >= blockedMs);
      // Results of removed drivers are dropped: these checks only run with drivers, and old failures would block the next installation.
      const forgot = !installed && tallies.delete('csi');
      // Not before the rollout is complete, and no pass for this alone.
      if (settling) schedule.postpone('csi');
      const mayRun = checkGroups.filter((group) => !(settling && group === 'csi'));
      const groups = mayRun.filter((group) => isWhole(group) || schedule.due(group) === 'again');
      const failedBefore = checkGroups.filter(fails);
      const needsVolumes =
        isWhole('storage') || failingOf(tallies.get('storage') ?? [], (id) => volumeChecks.has(id)) === 'full';
      const isRound = groups.some(isWhole);
      if (groups.length > 0) await run(context, { groups, withoutVolumes: !needsVolumes, isRound }, signal);
      // Checks that could not be judged because of a failure can be judged once it is gone.
      const isCleared = failedBefore.some((group) => groups.includes(group) && !fails(group));
      const unjudged = mayRun.filter((group) => !groups.includes(group) && hasResult(tallies.get(group), 'Unknown'));
      if (isCleared && unjudged.length > 0)
        await run(context, { groups: unjudged, withoutVolumes: false, isRound: true }, signal);
      inputs = options.inputs;
      last = groups.length > 0 || forgot || !last ? observe(installed, asked) : last;
      return last;
    },
    last: () => last,
    touch: schedule.touch,
    touchVCenter: schedule.touchVCenter,
    awaitsInventory: () => fails('node') || fails('topology') || fails('storage'),
    testedMsAgo: () => schedule.ranMsAgo('vcenter'),
    dueInMs: schedule.dueInMs,
  };
};
