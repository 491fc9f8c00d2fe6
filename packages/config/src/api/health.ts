import type { VSphereDrivers } from './vsphere-drivers.ts';
import type { ConditionType } from './vsphere-drivers-status.ts';

/** One word for the overall health, from best to worst, except the two for a resource that is missing or being deleted (ADR 15). */
export const healthWords = [
  'Healthy',
  'Attention',
  'Progressing',
  'Degraded',
  'Unavailable',
  'ActionRequired',
  'Removing',
  'Absent',
] as const;
export type HealthWord = (typeof healthWords)[number];

export interface Health {
  readonly word: HealthWord;
  /** The reason, in one sentence; empty if healthy. */
  readonly reason: string;
}

/** What a view itself reads of objects, in addition to what the operator has checked. */
export interface LiveTrouble {
  readonly fail: number;
  readonly warn: number;
  /** The worst problem, in one sentence; empty if there is none. */
  readonly reason: string;
}

/** No view shows a better word than its details: a failed volume next to Healthy would not be believed. */
export const withLive = (health: Health, { fail, warn, reason }: LiveTrouble): Health => {
  const { word } = health;
  if (fail > 0 && (word === 'Healthy' || word === 'Attention' || word === 'Progressing'))
    return { word: 'Degraded', reason };
  return warn > 0 && word === 'Healthy' ? { word: 'Attention', reason } : health;
};

const conditionOf = (resource: VSphereDrivers, type: ConditionType) =>
  resource.status?.conditions?.find((condition) => condition.type === type);

/** Whether the drivers run as specified and are available, whatever the checks find around them: the condition for which GitOps tools wait. */
export const isReady = (resource: VSphereDrivers | undefined): boolean =>
  resource !== undefined && conditionOf(resource, 'Ready')?.status === 'True';

const checkCounts = (resource: VSphereDrivers) => {
  const { fail = 0, warn = 0, unknown = 0, failing = [] } = resource.status?.checks ?? {};
  return { fail, warn, unknown, worst: failing.find(({ result }) => result === 'Fail') };
};

const counted = (count: number, one: string, several: string): readonly string[] =>
  count === 0 ? [] : [count === 1 ? `1 check ${one}` : `${count} checks ${several}`];

/** The health of the resource: the worst that its conditions and checks report. */
export const healthOf = (resource: VSphereDrivers | undefined): Health => {
  if (!resource) return { word: 'Absent', reason: 'there is no VSphereDrivers resource' };
  const holds = (type: ConditionType, status: 'True' | 'False') => {
    const condition = conditionOf(resource, type);
    return condition?.status === status ? condition : undefined;
  };
  if (resource.metadata.deletionTimestamp !== undefined)
    return { word: 'Removing', reason: holds('Ready', 'False')?.message ?? 'the drivers are being removed' };
  if ((resource.status?.conditions ?? []).length === 0)
    return { word: 'Progressing', reason: 'the operator has not processed the resource yet' };
  const stalled = holds('Stalled', 'True');
  if (stalled) return { word: 'ActionRequired', reason: stalled.message };
  const progressing = holds('Progressing', 'True');
  const unavailable = holds('Available', 'False');
  // Drivers that are being installed for the first time are not available yet: this is progress, not a failure.
  if (unavailable && !progressing) return { word: 'Unavailable', reason: unavailable.message };
  const degraded = holds('Degraded', 'True');
  if (degraded) return { word: 'Degraded', reason: degraded.message };
  const { fail, warn, unknown, worst } = checkCounts(resource);
  // Operators before 0.2 did not report drivers as degraded for every failing check.
  if (fail > 0 && !unavailable)
    return { word: 'Degraded', reason: worst?.message ?? counted(fail, 'fails', 'fail').join('') };
  const notReady = holds('Ready', 'True') ? undefined : conditionOf(resource, 'Ready');
  if (progressing || notReady) return { word: 'Progressing', reason: (progressing ?? notReady)?.message ?? '' };
  const concerns = [
    ...counted(warn, 'warns', 'warn'),
    ...counted(unknown, 'could not be judged', 'could not be judged'),
  ];
  return concerns.length > 0 ? { word: 'Attention', reason: concerns.join(' and ') } : { word: 'Healthy', reason: '' };
};
