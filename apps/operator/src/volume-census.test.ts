import { silentLogger } from '@vdo/base/logger';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import type { VolumeCount } from './observation.ts';
import { countHoldsMs, createVolumeCensus } from './volume-census.ts';

const unplaceable = { total: 0, first: [] };
const none: VolumeCount = { total: 0, attachments: 0, byInstance: {}, unplaceable, pages: 2 };
const some: VolumeCount = { ...none, total: 3 };
const { signal } = new AbortController();

const open = () => {
  const clock = createVirtualClock();
  const state = { now: none as VolumeCount | undefined, counted: 0, changes: 0 };
  const census = createVolumeCensus({
    count: async () => {
      state.counted += 1;
      if (!state.now) throw new Error('the API server is away');
      return state.now;
    },
    isNeeded: () => true,
    onChange: () => {
      state.changes += 1;
    },
    clock,
    logger: silentLogger,
  });
  return { clock, census, state };
};

describe('the census of volumes', () => {
  it('is made once for many passes, and again when somebody asks', async () => {
    const { census, state } = open();
    for (const request of ['a', 'a', 'a', 'b', 'b']) await census.current({ request, signal });
    expect(state.counted).toBe(2);
  });

  it('tells a change within a minute while volumes are there, and of the first within five', async () => {
    const { clock, census, state } = open();
    const ending = new AbortController();
    const running = census.run(ending.signal);
    await census.current({ request: '', signal });
    state.now = some;
    await clock.advance(5 * 60_000);
    expect(state.changes).toBe(1);
    state.now = undefined;
    await clock.advance(60_000);
    state.now = none;
    await clock.advance(60_000);
    expect(state.changes).toBe(2);
    expect(await census.current({ request: '', signal })).toBe(none);
    ending.abort();
    await running;
  });

  it('costs a hundred thousand volumes ten calls a minute at most', () => {
    const many = { ...some, total: 100_000, pages: 400 };
    expect(many.pages / (countHoldsMs(many) / 60_000)).toBeLessThanOrEqual(10);
  });
});
