import { describe, expect, it } from 'vitest';
import type { Inventory } from '../inventory.ts';
import { inventoryOf, nowMs } from '../testing/cluster-facts.ts';
import { createSpaceHistory } from './space-history.ts';

const hour = 3_600_000;
const gib = 1024 ** 3;
const reading = (hours: number, freeGib: number): Inventory => ({
  vcenters: inventoryOf({ nodes: 1, volumes: 1 }).vcenters.map((one) => ({
    ...one,
    volumesAtMs: nowMs + hours * hour,
    datastores: one.datastores.map((store) => ({ ...store, free: freeGib * gib })),
  })),
});
const key = 'vc1.example.com/vsan-gold';

describe('the growth of datastores', () => {
  it('is unknown after one reading, then what is used more than in the oldest reading of the day', () => {
    const history = createSpaceHistory();
    history.note(reading(0, 500));
    expect(history.growth().get(key)).toBeUndefined();
    history.note(reading(0, 500));
    expect(history.growth().get(key)).toBeUndefined();
    history.note(reading(1, 490));
    history.note(reading(2, 470));
    expect(history.growth().get(key)).toEqual({ bytes: 30 * gib, sinceMs: nowMs, untilMs: nowMs + 2 * hour });
  });
  it('forgets what is older than a day, and stays small', () => {
    const history = createSpaceHistory();
    for (let hours = 0; hours < 1_000; hours += 1) history.note(reading(hours, 5_000 - hours));
    expect(history.growth().get(key)).toEqual({
      bytes: 24 * gib,
      sinceMs: nowMs + 975 * hour,
      untilMs: nowMs + 999 * hour,
    });
  });
  it('says nothing of a datastore that is gone, and gives the same answer until something is read', () => {
    const history = createSpaceHistory();
    history.note(reading(0, 500));
    history.note(reading(1, 600));
    expect(history.growth().get(key)?.bytes).toBe(-100 * gib);
    expect(history.growth()).toBe(history.growth());
    history.note({ vcenters: [] });
    expect(history.growth().size).toBe(0);
  });
});
