import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import type { ComponentObservation } from '../observation.ts';
import { createRolloutMemory } from './rollout-memory.ts';

const controller = (generation: number, ready: boolean): ComponentObservation => ({
  component: 'csi-controller',
  kind: 'Deployment',
  namespace: 'n',
  name: 'vsphere-csi-controller',
  ours: true,
  distribution: 'Native',
  version: '1.0.0',
  count: { desired: 1, ready: ready ? 1 : 0 },
  settled: ready,
  overdue: false,
  progress: '',
  generation,
  allUpdated: true,
  remaining: ready ? 0 : 1,
  missing: ready ? 0 : 1,
});

describe('a workload whose pods are missing', () => {
  const looksOf = async (everyMs: number, generations: readonly number[]) => {
    const clock = createVirtualClock();
    const memory = createRolloutMemory(clock);
    memory.see([controller(1, true)]);
    const changing: (boolean | undefined)[] = [];
    for (const generation of generations) {
      changing.push(memory.see([controller(generation, false)])[0]?.changing);
      await clock.advance(everyMs);
    }
    return changing;
  };

  it('is changing for a minute after its template has changed', async () => {
    expect(await looksOf(20_000, [2, 2, 2, 2, 2])).toEqual([true, true, true, false, false]);
  });

  // Found by `npm run simulate -- --operator --replay 113`: who looked once a minute took each repair for a new rollout.
  it('is not changing for ever because a rival changes it and VDO repairs it', async () => {
    expect(await looksOf(60_000, [2, 4, 6, 8])).toEqual([true, false, false, false]);
  });

  it('is changing again once all its pods were ready', async () => {
    const clock = createVirtualClock();
    const memory = createRolloutMemory(clock);
    memory.see([controller(1, true)]);
    memory.see([controller(2, false)]);
    await clock.advance(300_000);
    expect(memory.see([controller(2, true)])[0]?.changing).toBe(false);
    expect(memory.see([controller(3, false)])[0]?.changing).toBe(true);
  });
});
