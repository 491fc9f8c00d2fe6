import { describe, expect, it } from 'vitest';
import { afterObservation, type HeartbeatState, isShared, type Pulse } from './heartbeat-state.ts';

const carrier = (word: string, volumeId = 'v1') => ({ server: 'vc', volumeId, word });
const observe = (state: HeartbeatState | undefined, pulse: Partial<Pulse> & { readonly word: string }) =>
  afterObservation(state, { carriers: [], own: [{ server: 'vc', volumeId: 'v1' }], isBeat: true, ...pulse });

describe('a heartbeat', () => {
  it('is ours although the words after it did not arrive', () => {
    let state = observe(undefined, { word: 'a' });
    for (const word of ['b', 'c', 'd', 'e']) {
      state = observe(state, { word, carriers: [carrier('a')] });
      expect(isShared(state)).toBe(false);
    }
    expect(state.mine).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('keeps a bounded number of words', () => {
    let state = observe(undefined, { word: 'a' });
    for (let count = 0; count < 100; count++) state = observe(state, { word: `${count}` });
    expect([state.mine.length, state.mine.at(-1)]).toEqual([24, '99']);
  });

  it('is nobody’s if another driver took it away', () => {
    const first = observe(undefined, { word: 'a' });
    const second = observe(first, { word: 'b' });
    expect([isShared(second), second.carriers]).toEqual([false, { vc: ['v1'] }]);
  });

  it('of another cluster counts until three beats have passed without a new one', () => {
    let state = observe(observe(undefined, { word: 'a' }), { word: 'b', carriers: [carrier('x')] });
    expect([isShared(state), state.sign]).toEqual([true, 'volume v1 on vc has a heartbeat of another cluster']);
    state = observe(state, { word: 'c', carriers: [carrier('b')] });
    // A look between the beats does not count.
    for (let times = 0; times < 5; times++)
      state = observe(state, { word: 'c', carriers: [carrier('c')], isBeat: false });
    state = observe(state, { word: 'd', carriers: [carrier('c')] });
    expect(isShared(state)).toBe(true);
    state = observe(state, { word: 'e', carriers: [carrier('d')] });
    expect([isShared(state), state.sign]).toEqual([false, undefined]);
  });

  it('of a dead cluster on a volume that is not ours is remembered', () => {
    const carriers = [carrier('x', 'v2')];
    let state = observe(observe(undefined, { word: 'a' }), { word: 'b', carriers });
    for (const word of ['c', 'd', 'e']) state = observe(state, { word, carriers });
    expect([isShared(state), state.carriers]).toEqual([false, { vc: ['v2', 'v1'] }]);
    expect(isShared(observe(state, { word: 'f', carriers: [carrier('y', 'v2')] }))).toBe(true);
  });

  it('may be our own if the note of it was deleted, and the sign says so', () => {
    const state = observe(undefined, { word: 'a', carriers: [carrier('x')] });
    expect([isShared(state), state.sign]).toEqual([
      true,
      "volume v1 on vc has a heartbeat of another cluster, or it is this cluster's own and its record was deleted: this cluster has no earlier record",
    ]);
  });

  it('is not needed where a volume appears that another cluster has made', () => {
    const state = observe(observe(undefined, { word: 'a' }), { word: 'b', foreignVolume: 'v9' });
    expect([isShared(state), state.sign]).toEqual([
      true,
      'volume v9 has appeared with a PersistentVolume of another cluster',
    ]);
  });
});
