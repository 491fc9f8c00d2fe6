import { isVdoError } from '@vdo/base/vdo-error';
import type { Observation } from '../observation.ts';
import { imagesPending } from './image-proof.ts';

const steadyMs = 5 * 60_000;
const firstRetryMs = 5_000;
const longestRetryMs = 60_000;
// No watch reports a new RBAC rule, or that another tool stopped managing a driver.
const permissionMs = 10_000;
const unwatched = ['KubeForbidden', 'CniRoleMissing', 'DriverManagedElsewhere'] as const;

const growing = (firstMs: number, inARow: number): number =>
  Math.min(longestRetryMs, firstMs * 2 ** Math.max(0, Math.min(inARow, 10) - 1));

/** False if the pass itself has learned what another one has to judge at once. */
export const isAnswered = ({ doubtful, checks, holds }: Observation): boolean =>
  // The checks ran after the releases were chosen, so an upgrade that waited for them can start at once.
  !doubtful && !(checks && holds?.some(({ reason }) => reason === 'ChecksPending'));

const byState = (observation: Observation, failuresInARow: number, waitMs: () => number): number => {
  if (!isAnswered(observation)) return 0;
  const isMoving = observation.drivers.some(({ rollingOut, target }) => rollingOut || target !== undefined);
  // Starting and ending pods are not watched, nor are objects that a finalizer holds, perhaps forever.
  const isProbing = observation.holds?.some(({ reason }) => reason === imagesPending);
  if (isMoving || isProbing || observation.pruning) return waitMs();
  if (observation.failure?.retry === 'backoff') return growing(firstRetryMs, failuresInARow);
  if ([observation.failure, observation.cniProblem].some((error) => isVdoError(error, ...unwatched)))
    return growing(permissionMs, failuresInARow);
  return steadyMs;
};

/**
 * When to reconcile again if nothing changes meanwhile. Changes (spec, Secret, workloads, nodes) are watched and seen at once;
 * this is for what cannot be watched: vCenter, the time, documents at other addresses.
 */
export const requeueAfterMs = (
  observation: Observation,
  failuresInARow: number,
  due: {
    readonly nowMs: number;
    readonly inMs: readonly number[];
    /** How long to wait while a change is in progress. Default: as after an error. */
    readonly waitMs?: () => number;
  } = { nowMs: 0, inMs: [] },
): number => {
  const opens = (observation.holds ?? []).flatMap(({ untilMs }) =>
    untilMs === undefined ? [] : [untilMs - due.nowMs],
  );
  const state = byState(observation, failuresInARow, due.waitMs ?? (() => longestRetryMs));
  // A failed pass may not have reached what is overdue: reconciling again at once would be a busy loop.
  const dueMs = due.inMs.map((ms) => (ms <= 0 && observation.failure ? state : ms));
  const times = [state, ...opens, ...dueMs];
  return Math.max(Math.min(...times), 100);
};
