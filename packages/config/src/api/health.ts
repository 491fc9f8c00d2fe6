import type { VSphereDrivers } from './vsphere-drivers.ts';
import type { ConditionType } from './vsphere-drivers-status.ts';

/** One word for the whole, from best to worst but for the two that are about not being there. */
export const healthWords = [
  'Healthy',
  'Progressing',
  'Degraded',
  'Unavailable',
  'Stalled',
  'Removing',
  'Absent',
] as const;
export type HealthWord = (typeof healthWords)[number];

export interface Health {
  readonly word: HealthWord;
  /** Why, in one sentence; empty if all is well. */
  readonly reason: string;
}

/** The one word of the resource, by its conditions; the worst that holds is told. */
export const healthOf = (resource: VSphereDrivers | undefined): Health => {
  if (!resource) return { word: 'Absent', reason: 'there is no VSphereDrivers resource' };
  const conditions = resource.status?.conditions ?? [];
  const holds = (type: ConditionType, status: 'True' | 'False') =>
    conditions.find((condition) => condition.type === type && condition.status === status);
  if (resource.metadata.deletionTimestamp !== undefined)
    return { word: 'Removing', reason: holds('Ready', 'False')?.message ?? 'the drivers are being removed' };
  if (conditions.length === 0)
    return { word: 'Progressing', reason: 'the operator has not looked at the resource yet' };
  const stalled = holds('Stalled', 'True');
  if (stalled) return { word: 'Stalled', reason: stalled.message };
  const progressing = holds('Progressing', 'True');
  const unavailable = holds('Available', 'False');
  // Drivers that are being installed for the first time are not available yet: that is progress, not a failure.
  if (unavailable && !progressing) return { word: 'Unavailable', reason: unavailable.message };
  const degraded = holds('Degraded', 'True');
  if (degraded) return { word: 'Degraded', reason: degraded.message };
  const notReady = conditions.find(({ type, status }) => type === 'Ready' && status !== 'True');
  if (progressing || notReady) return { word: 'Progressing', reason: (progressing ?? notReady)?.message ?? '' };
  return { word: 'Healthy', reason: '' };
};
