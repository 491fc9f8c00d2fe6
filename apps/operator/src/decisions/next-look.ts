import { isVdoError } from '@vdo/base/vdo-error';
import type { Observation } from '../observation.ts';

const steadyMs = 5 * 60_000;
// Pods are watched; this is for the deadline of a rollout that does not move.
const rollingMs = 15_000;
const firstRetryMs = 5_000;
const longestRetryMs = 60_000;
// A new RBAC rule sends no event to who was refused before, nor does a tool that lets go of a driver.
const permissionMs = 10_000;
const unwatched = ['KubeForbidden', 'CniRoleMissing', 'DriverManagedElsewhere'] as const;

const byState = (observation: Observation, failuresInARow: number): number => {
  if (observation.doubtful) return 0;
  const isMoving = observation.drivers.some(({ rollingOut, target }) => rollingOut || target !== undefined);
  // Pods that still end are not watched; nor is what a finalizer holds, perhaps for good.
  if (isMoving || observation.pruning) return rollingMs;
  if (observation.failure?.retry === 'backoff')
    return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, failuresInARow - 1));
  if ([observation.failure, observation.cniProblem].some((error) => isVdoError(error, ...unwatched)))
    return permissionMs;
  return steadyMs;
};

/**
 * When to look again if nothing changes meanwhile. Changes (spec, Secret, workloads, nodes) are watched and come at once;
 * this is for what cannot be watched: vCenter, the clock, documents elsewhere.
 */
export const nextLookMs = (
  observation: Observation,
  failuresInARow: number,
  due: { readonly nowMs: number; readonly inMs: readonly number[] } = { nowMs: 0, inMs: [] },
): number => {
  const opens = (observation.holds ?? []).flatMap(({ untilMs }) =>
    untilMs === undefined ? [] : [untilMs - due.nowMs],
  );
  const state = byState(observation, failuresInARow);
  // What is still overdue after a pass that failed was not reached by it: to look again at once would be a busy loop.
  const dueMs = due.inMs.map((ms) => (ms <= 0 && observation.failure ? state : ms));
  const times = [state, ...opens, ...dueMs];
  return Math.max(Math.min(...times), 100);
};
