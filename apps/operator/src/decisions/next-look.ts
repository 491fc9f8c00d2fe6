import { isVdoError } from '@vdo/base/vdo-error';
import type { Observation } from '../observation.ts';

const steadyMs = 5 * 60_000;
const rollingMs = 5_000;
const firstRetryMs = 5_000;
const longestRetryMs = 60_000;
// A new RBAC rule sends no event to who was refused before.
const permissionMs = 10_000;

/**
 * When to look again if nothing changes meanwhile. Changes (spec, Secret, workloads, nodes) are watched and come at once;
 * this is for what cannot be watched: vCenter.
 */
export const nextLookMs = (observation: Observation, failuresInARow: number): number => {
  if (observation.failure?.retry === 'backoff')
    return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, failuresInARow - 1));
  if (isVdoError(observation.failure, 'KubeForbidden')) return permissionMs;
  if (observation.failure) return steadyMs;
  return observation.drivers.some(({ rollingOut }) => rollingOut) ? rollingMs : steadyMs;
};
