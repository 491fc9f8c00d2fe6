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

/** Shorter than this no rollout is given: pods need a moment to start. */
const shortestDeadlineMs = 5_000;
/** So long a process looks itself before it calls a rollout stuck that another began. */
const shortestWatchMs = 2 * 60_000;
/** How exactly it is remembered how long a rollout has stood: each note is a write. */
const noteEveryMs = 30_000;

const isOf = (release: ReleaseName, { version, distribution }: ComponentObservation): boolean =>
  version !== undefined && sameRelease(release, { version, distribution });

/** Whether every workload that is there is of this release; their pods may still be on the way. */
export const reachedBy = (release: ReleaseName, running: readonly ComponentObservation[]): boolean =>
  running.length > 0 && running.every((component) => isOf(release, component));

/** The release to call the running one: of several during a change, the oldest that is known whole. */
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

/** What the workloads of ours say that they are, though nobody may know any more what that is made of: the oldest of them. */
export const oldestOfOurs = (running: readonly ComponentObservation[]): ReleaseName | undefined =>
  running
    .flatMap(({ ours, version, distribution }) => (ours && version !== undefined ? { distribution, version } : []))
    .sort((a, b) => compareReleases(a.version, b.version))[0];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/**
 * What is left of a rollout. What counts is the least that was seen: pods that become ready and crash again and again move
 * without getting anywhere. That the last pod of the former release is gone is a move of its own: only then does the next
 * component get its turn, which must not find its time used up.
 */
const leftOf = (target: ReleaseName, running: readonly ComponentObservation[]): number =>
  sum(running.map((one) => (isOf(target, one) ? one.remaining + (one.settled ? 0 : 1) : 3 * one.count.desired + 2)));

/** The pods that the rollout is about. Nodes come, leave and fall silent: what was left of another number says nothing. */
const pods = (running: readonly ComponentObservation[]): number =>
  sum(running.map(({ count, excused = 0 }) => count.desired - excused));

const lasting = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} seconds` : `${Math.round(ms / 60_000)} minutes`;

// Pods of the former release may still be counted as ready: only that the new ones are not all there is certain.
const describe = ({ kind, namespace, name, progress }: ComponentObservation): string =>
  `the new pods of ${kind} ${namespace}/${name} do not become ready (${progress})`;

export interface SettleInput {
  readonly driver: DriverKind;
  readonly running: readonly ComponentObservation[];
  readonly history: DriverHistory;
  readonly matrix: Matrix;
  readonly generation: number;
  /** Steady: no setting of a clock moves it. */
  readonly nowMs: number;
  /** When this process began to lead. */
  readonly watchingSinceMs: number;
  /** A rollout that has not moved for so long has failed. On large clusters it may take hours, as long as it moves. */
  readonly deadlineMs: number;
}

/** What is to be noted of a rollout that has moved, stands, or is about other pods than before; or that it is stuck. */
const followCourse = (
  { running, nowMs, watchingSinceMs, ...input }: SettleInput,
  target: ReleaseTarget,
  begun: readonly ComponentObservation[],
): {
  readonly note?: ReleaseTarget;
  readonly stuck?: { readonly isGivenUp: boolean; readonly standsMs: number };
} => {
  // Of a clock that was ahead: by this one it might stand for hours before anybody said so.
  if (target.sinceMs > nowMs + noteEveryMs) return { note: { ...target, sinceMs: nowMs } };
  const left = leftOf(target, running);
  const of = pods(running);
  const rebased = target.of !== of;
  const { stoodMs = 0, ...course } = target;
  // Nothing of it was applied yet, perhaps because the operator was away: its time has not begun.
  const moved = begun.length === 0 || target.left === undefined || (!rebased && left < target.left);
  if (moved) {
    const isNews = left !== target.left || rebased || nowMs - target.sinceMs >= noteEveryMs;
    return isNews ? { note: { ...course, left, of, sinceMs: nowMs } } : {};
  }
  if (rebased) return { note: { ...target, left, of } };
  const isGivenUp = begun.some(({ overdue }) => overdue);
  // When another noted it says nothing here: their clocks may differ. How long it had stood by then does.
  const seenMs = nowMs - Math.max(target.sinceMs, watchingSinceMs);
  const standsMs = stoodMs + seenMs;
  const deadlineMs = Math.max(input.deadlineMs, shortestDeadlineMs);
  const isWatched = nowMs - watchingSinceMs >= Math.min(deadlineMs, shortestWatchMs);
  if (isGivenUp || (standsMs >= deadlineMs && isWatched)) return { stuck: { isGivenUp, standsMs } };
  // What is not taken back, however long it stands, is not worth a note for ever.
  const counts = !target.rollback && input.history.good !== undefined;
  return counts && seenMs >= noteEveryMs ? { note: { ...target, sinceMs: nowMs, stoodMs: standsMs } } : {};
};

/** Notices that a begun change of release is over: healthy, or stuck and therefore bad. Old bad marks are forgotten. */
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
    const verb = target.rollback ? 'is back at' : 'runs';
    const reason = target.rollback ? 'RollbackCompleted' : 'UpgradeCompleted';
    const message = `${name} ${verb} ${target.distribution} ${target.version} on every node.`;
    return { history: release ? withGood(over, release) : over, news: [{ type: 'Normal', reason, message }] };
  }
  const course = followCourse(input, target, begun);
  if (course.note) return { history: { ...history, target: course.note }, news: [] };
  if (!course.stuck || target.rollback || !history.good) return { history, news: [] };
  const { isGivenUp, standsMs } = course.stuck;
  const waiting = begun.filter(({ settled }) => !settled).map(describe);
  const since = isGivenUp ? 'Kubernetes gave the rollout up' : `nothing has moved for ${lasting(standsMs)}`;
  const reason = `${waiting.join(', ') || 'it did not become healthy'}, and ${since}`;
  const { distribution, version } = target;
  const failed = { distribution, version, reason, serial: matrix.serial, generation };
  const message = `${name} ${version} is taken back to ${history.good.version}: ${reason}. It is not tried again until the matrix or the spec changes.`;
  return {
    history: { ...over, bad: [...bad, failed] },
    news: [{ type: 'Warning', reason: 'UpgradeFailed', message }],
  };
};
