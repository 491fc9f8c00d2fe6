import type { Condition } from '@vdo/kube/types/object';

export interface TransitionEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

const bad: Readonly<Record<string, Condition['status']>> = { Degraded: 'True', Stalled: 'True' };
const isBad = ({ type, status }: Condition): boolean => status === (bad[type] ?? 'False');

// One event a story: Ready tells it all; the others only repeat the same cause.
const narrated = 'Ready';

/** The event for what changed since the last status: none if Ready kept its status and reason. */
export const decideEvents = (
  previous: readonly Condition[],
  current: readonly Condition[],
): readonly TransitionEvent[] => {
  const now = current.find(({ type }) => type === narrated);
  const before = previous.find(({ type }) => type === narrated);
  if (!now || (before?.status === now.status && before.reason === now.reason)) return [];
  const warns = isBad(now) && current.some(({ type, status }) => type === 'Degraded' && status === 'True');
  return [{ type: warns ? 'Warning' : 'Normal', reason: now.reason, message: now.message }];
};
