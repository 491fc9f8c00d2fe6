import { describe, expect, test } from 'vitest';
import { findCondition, setCondition } from './conditions.ts';
import type { Condition } from './types/object.ts';

const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second, 789);
const ready: Condition = {
  type: 'Ready',
  status: 'False',
  reason: 'Installing',
  message: 'waits for 3 pods',
  observedGeneration: 2,
  lastTransitionTime: '2026-01-01T00:00:01Z',
};
const other: Condition = { ...ready, type: 'Available' };

describe('setCondition', () => {
  test('appends a new condition, with the present time in whole seconds', () => {
    const update = { type: 'Ready', status: 'True', reason: 'Installed', message: '' } as const;
    expect(setCondition([other], update, at(5))).toEqual([
      other,
      { ...update, lastTransitionTime: '2026-01-01T00:00:05Z' },
    ]);
  });

  test('keeps the time of the last transition and the position when the message changes', () => {
    const [first, second] = setCondition([ready, other], { ...ready, message: 'waits for 1 pod' }, at(5));
    expect(first).toMatchObject({ message: 'waits for 1 pod', lastTransitionTime: '2026-01-01T00:00:01Z' });
    expect(second).toBe(other);
  });

  test('updates the time when the status changes', () => {
    const next = setCondition([ready], { ...ready, status: 'True' }, at(5));
    expect(findCondition(next, 'Ready')?.lastTransitionTime).toBe('2026-01-01T00:00:05Z');
  });

  test('returns the same array if nothing changes', () => {
    const conditions = [ready];
    const { lastTransitionTime: _, ...same } = ready;
    expect(setCondition(conditions, same, at(5))).toBe(conditions);
  });
});
