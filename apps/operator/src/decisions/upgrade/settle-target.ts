import type { DriverKind, Matrix, Release } from '@vdo/releases/matrix';
import {
  type DriverHistory,
  type ReleaseName,
  type ReleaseTarget,
  relevantBad,
  sameRelease,
  withGood,
  withKnown,
} from '@vdo/releases/release-history';
import { compareReleases } from '@vdo/releases/versions';
import { type ComponentObservation, componentsOf } from '../../observation.ts';
import type { TransitionEvent } from '../transitions.ts';

/** The shortest time limit for a rollout: pods need a moment to start. */
const shortestDeadlineMs = 5_000;
/** How long a process observes a rollout that another process began before it may call it stuck. */
const shortestWatchMs = 2 * 60_000;
/** How precisely the time without progress is recorded: each record is a write. */
const noteEveryMs = 30_000;

const isOf = (release: ReleaseName, { version, distribution }: ComponentObservation): boolean =>
  version !== undefined && sameRelease(release, { version, distribution });

/** Whether every existing workload is of this release; its pods may still be starting. */
export const reachedBy = (release: ReleaseName, running: readonly ComponentObservation[]): boolean =>
  running.length > 0 && running.every((component) => isOf(release, component));

/** The release to report as running: during a change, the oldest one that is completely known. */
export const runningRelease = (
  running: readonly ComponentObservation[],
  history: DriverHistory,
  matrix: Matrix,
): Release | undefined => {
  const { good } = history;
  if (good && running.some((component) => isOf(good, component))) return good;
  const driver: DriverKind = running[0]?.component === 'cpi' ? 'cpi' : 'csi';
  const { releases } = withKnown(matrix, history);
  return running
    .flatMap((component) => releases.find((release) => release.driver === driver && isOf(release, component)) ?? [])
    .sort((a, b) => compareReleases(a.version, b.version))[0];
};

/** The oldest release named by the labels of our workloads, even if its content is no longer known. */
export const oldestOfOurs = (running: readonly ComponentObservation[]): ReleaseName | undefined =>
  running
    .flatMap(({ ours, version, distribution }) => (ours && version !== undefined ? { distribution, version } : []))
    .sort((a, b) => compareReleases(a.version, b.version))[0];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/**
 * What is left of a rollout. The minimum ever seen counts: pods that become ready and crash repeatedly cause changes
 * without progress. The end of the last old pod counts as progress of its own: only then does the next
 * component start, and it must get its full time.
 */
const leftOf = (target: ReleaseName, running: readonly ComponentObservation[]): number =>
  sum(running.map((one) => (isOf(target, one) ? one.remaining + (one.settled ? 0 : 1) : 3 * one.count.desired + 2)));

/** The pods of the rollout. Nodes join, leave and stop responding: a count of another set of pods cannot be compared. */
const pods = (running: readonly ComponentObservation[]): number =>
  sum(running.map(({ count, excused = 0 }) => count.desired - excused));

const lasting = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} seconds` : `${Math.round(ms / 60_000)} minutes`;

// Pods of the old release may still count as ready: it is only certain that not all new ones exist.
const describe = ({ kind, namespace, name, progress }: ComponentObservation): string =>
  `the new pods of ${kind} ${namespace}/${name} do not become ready (${progress})`;

export interface SettleInput {
  readonly driver: DriverKind;
  readonly running: readonly ComponentObservation[];
  readonly history: DriverHistory;
  readonly matrix: Matrix;
  readonly generation: number;
  /** Steady: setting the wall clock does not change it. */
  readonly nowMs: number;
  /** When this process became leader. */
  readonly watchingSinceMs: number;
  /** A rollout without progress for this long has failed. On large clusters a rollout may take hours if it progresses. */
  readonly deadlineMs: number;
}

/** What to record of a rollout that has progressed, has not, or concerns other pods than before; or that it is stuck. */
const followCourse = (
  { running, nowMs, watchingSinceMs, ...input }: SettleInput,
  target: ReleaseTarget,
  begun: readonly ComponentObservation[],
): {
  readonly note?: ReleaseTarget;
  readonly stuck?: { readonly isGivenUp: boolean; readonly standsMs: number };
} => {
  // Recorded by a clock that was ahead: by this one the rollout could be stuck for hours before it is reported.
  if (target.sinceMs > nowMs + noteEveryMs) return { note: { ...target, sinceMs: nowMs } };
  const left = leftOf(target, running);
  const of = pods(running);
  const rebased = target.of !== of;
  const { stoodMs = 0, ...course } = target;
  // Nothing of it was applied yet, perhaps because the operator was not running: its time has not started.
  const moved = begun.length === 0 || target.left === undefined || (!rebased && left < target.left);
  if (moved) {
    const isNews = left !== target.left || rebased || nowMs - target.sinceMs >= noteEveryMs;
    return isNews ? { note: { ...course, left, of, sinceMs: nowMs } } : {};
  }
  if (rebased) return { note: { ...target, left, of } };
  const isGivenUp = begun.some(({ overdue }) => overdue);
  // The time at which another process recorded it is useless, because clocks may differ. The recorded duration is not.
  const seenMs = nowMs - Math.max(target.sinceMs, watchingSinceMs);
  const standsMs = stoodMs + seenMs;
  const deadlineMs = Math.max(input.deadlineMs, shortestDeadlineMs);
  const isWatched = nowMs - watchingSinceMs >= Math.min(deadlineMs, shortestWatchMs);
  if (isGivenUp || (standsMs >= deadlineMs && isWatched)) return { stuck: { isGivenUp, standsMs } };
  // A rollout that is never rolled back need not be recorded forever.
  const counts = !target.rollback && input.history.good !== undefined;
  return counts && seenMs >= noteEveryMs ? { note: { ...target, sinceMs: nowMs, stoodMs: standsMs } } : {};
};

/** Detects the end of a change of release: healthy, or stuck and therefore bad. Old marks of bad releases are dropped. */
export const settleTarget = (
  input: SettleInput,
): { readonly history: DriverHistory; readonly news: readonly TransitionEvent[] } => {
  const { driver, running, matrix, generation } = input;
  const bad = relevantBad(input.history, { serial: matrix.serial, generation });
  const history = { ...input.history, bad };
  const { target } = history;
  if (!target) return { history, news: [] };
  const name = driver.toUpperCase();
  const begun = running.filter((component) => isOf(target, component));
  const complete =
    componentsOf(driver).every((wanted) => begun.some(({ component }) => component === wanted)) &&
    reachedBy(target, running) &&
    running.every(({ settled }) => settled);
  const { target: _, ...over } = history;
  if (complete) {
    const known = withKnown(matrix, history).releases;
    const release = known.find((one) => one.driver === driver && sameRelease(one, target));
    const verb = target.rollback ? 'was rolled back to' : 'now runs';
    const reason = target.rollback ? 'RollbackCompleted' : 'UpgradeCompleted';
    const message = `${name} ${verb} ${target.distribution} ${target.version} on every node.`;
    return { history: release ? withGood(over, release) : over, news: [{ type: 'Normal', reason, message }] };
  }
  const course = followCourse(input, target, begun);
  if (course.note) return { history: { ...history, target: course.note }, news: [] };
  if (!course.stuck || target.rollback || !history.good) return { history, news: [] };
  const { isGivenUp, standsMs } = course.stuck;
  const waiting = begun.filter(({ settled }) => !settled).map(describe);
  const since = isGivenUp
    ? 'Kubernetes reported ProgressDeadlineExceeded'
    : `there was no progress for ${lasting(standsMs)}`;
  const reason = `${waiting.join(', ') || 'it did not become healthy'}, and ${since}`;
  const { distribution, version } = target;
  const failed = { distribution, version, reason, serial: matrix.serial, generation };
  const message = `${name} ${version} failed and is rolled back to ${history.good.version}: ${reason}. It is not retried until the compatibility matrix or the spec changes.`;
  return {
    history: { ...over, bad: [...bad, failed] },
    news: [{ type: 'Warning', reason: 'UpgradeFailed', message }],
  };
};
