import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import type { AnyObject } from '../types/object.ts';
import { createApplyMemory } from './apply-memory.ts';
import { refOf } from './object-ref.ts';

const wanted: AnyObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', namespace: 'n' },
  spec: { replicas: 1 },
};
const live = (generation: number, resourceVersion: string): AnyObject => ({
  ...wanted,
  metadata: { ...wanted.metadata, uid: 'u', generation, resourceVersion },
});

describe('the memory of what was applied', () => {
  test('skips objects that are as they were applied, but not those that changed, were deleted, or were not checked for long', async () => {
    const clock = createVirtualClock();
    const memory = createApplyMemory(clock);
    expect(memory.current(wanted)).toBeUndefined();
    memory.applied(wanted, live(1, '1'));
    expect(memory.current(wanted)).toMatchObject({ name: 'a', uid: 'u' });
    expect(memory.saw(refOf(wanted), live(1, '2').metadata)).toBe(false);
    expect(memory.current({ ...wanted, spec: { replicas: 2 } })).toBeUndefined();
    expect(memory.saw(refOf(wanted), live(2, '3').metadata)).toBe(true);
    expect(memory.current(wanted)).toBeUndefined();
    memory.applied(wanted, live(3, '4'));
    expect(memory.current(wanted)).toBeDefined();
    memory.saw(refOf(wanted), undefined);
    expect(memory.current(wanted)).toBeUndefined();
    memory.applied(wanted, live(1, '9'));
    await clock.advance(5 * 60_000);
    expect(memory.current(wanted)).toBeUndefined();
  });

  test('leaves a contested object alone until its turn, whether or not the other manager has changed it', async () => {
    const clock = createVirtualClock();
    const memory = createApplyMemory(clock);
    memory.applied(wanted, live(1, '1'));
    expect([memory.isResting(refOf(wanted)), memory.dueInMs()]).toEqual([false, Number.POSITIVE_INFINITY]);
    for (let repair = 1; repair <= 5; repair++) {
      memory.saw(refOf(wanted), live(2 * repair, 'x').metadata);
      memory.current(wanted);
      memory.applied(wanted, live(2 * repair + 1, 'y'));
    }
    expect([memory.isResting(refOf(wanted)), memory.dueInMs()]).toEqual([true, 4_000]);
    await clock.advance(4_000);
    expect([memory.isResting(refOf(wanted)), memory.dueInMs()]).toEqual([false, Number.POSITIVE_INFINITY]);
    memory.saw(refOf(wanted), live(99, 'x').metadata);
    expect(memory.dueInMs()).toBe(0);
  });

  test('repairs a contested object at growing intervals, and names the other manager', async () => {
    const clock = createVirtualClock();
    const memory = createApplyMemory(clock);
    memory.applied(wanted, live(1, '1'));
    let repairs = 0;
    for (let second = 0; second < 600; second++) {
      memory.saw(refOf(wanted), live(2 * second + 2, 'x').metadata);
      if (!memory.current(wanted)) {
        repairs += 1;
        memory.applied(wanted, live(2 * second + 3, 'y'));
      }
      await clock.advance(1_000);
    }
    expect(repairs).toBeGreaterThan(8);
    expect(repairs).toBeLessThan(20);
    memory.blame(refOf(wanted), 'rival');
    expect(memory.contests()).toMatchObject([{ ref: { name: 'a' }, manager: 'rival' }]);
    memory.saw(refOf(wanted), live(9_999, 'z').metadata);
    await clock.advance(60_000);
    memory.applied(wanted, live(9_999, 'z'));
    await clock.advance(10 * 60_000);
    expect(memory.contests()).toEqual([]);
  });

  describe('while an object is being applied', () => {
    const ref = refOf(wanted);
    const begin = () => {
      const reported: string[] = [];
      const memory = createApplyMemory(createVirtualClock(), () => reported.push('drift'));
      memory.applied(wanted, live(1, '1'));
      memory.saw(ref, live(2, '2').metadata);
      memory.current(wanted);
      memory.applying(ref);
      return { memory, reported };
    };

    test('does not treat its own write as a change, whether the watch shows it before or after the reply', () => {
      const { memory, reported } = begin();
      expect(memory.saw(ref, live(3, '3').metadata)).toBe(false);
      memory.applied(wanted, live(3, '3'));
      expect(memory.saw(ref, live(3, '4').metadata)).toBe(false);
      expect(memory.current(wanted)).toBeDefined();
      expect(reported).toEqual([]);
    });

    test.each([
      ['after the write was shown', [live(3, '3').metadata, live(4, '4').metadata], live(3, '3')],
      ['deleting it', [live(3, '3').metadata, undefined], live(3, '3')],
      ['before the write was shown', [live(4, '4').metadata], live(3, '3')],
      ['after a write that changed nothing', [live(3, '3').metadata], live(2, '2')],
    ])('tells of somebody who wrote since: %s', (_, shown, reply) => {
      const { memory, reported } = begin();
      for (const metadata of shown) expect(memory.saw(ref, metadata)).toBe(false);
      memory.applied(wanted, reply);
      expect(reported).toEqual(['drift']);
      expect(memory.isDrifted(wanted)).toBe(true);
      expect(memory.current(wanted)).toBeUndefined();
    });

    test('ignores what somebody wrote before its own write', () => {
      const { memory, reported } = begin();
      memory.saw(ref, undefined);
      memory.saw(ref, live(1, '5').metadata);
      memory.applied(wanted, live(2, '6'));
      expect(reported).toEqual([]);
      expect(memory.current(wanted)).toBeDefined();
    });

    test('reports what the watch showed if the write failed, and judges later changes as usual', () => {
      const { memory, reported } = begin();
      memory.saw(ref, live(3, '3').metadata);
      memory.failed(ref);
      expect(reported).toEqual(['drift']);
      expect(memory.saw(ref, live(4, '4').metadata)).toBe(true);
      memory.applying(ref);
      memory.failed(ref);
      expect(reported).toEqual(['drift']);
    });

    test('reports nothing while the object is left alone, even if the write failed', () => {
      const reported: string[] = [];
      const memory = createApplyMemory(createVirtualClock(), () => reported.push('drift'));
      memory.applied(wanted, live(1, '1'));
      for (let generation = 2; generation <= 8; generation += 2) {
        memory.saw(ref, live(generation, `${generation}`).metadata);
        memory.current(wanted);
        memory.applied(wanted, live(generation + 1, `${generation + 1}`));
      }
      expect(memory.isResting(ref)).toBe(true);
      memory.applying(ref);
      memory.saw(ref, live(10, '10').metadata);
      memory.failed(ref);
      expect(reported).toEqual([]);
    });
  });
});
