import type { Clock } from '@vdo/base/clock';

/** Why a key is processed: something changed, or a retry is scheduled. Changes come first. */
export type Urgency = 'change' | 'again';

/** Keys that wait to be processed. A key in progress is not returned again before it is done. */
export interface WorkQueue {
  add(key: string, urgency: Urgency): void;
  /** One delay per key and owner; the earlier of two delays of a `caller` counts, and a delay of the `result` replaces the one before. */
  addAfter(key: string, delayMs: number, owner: 'caller' | 'result'): void;
  /** The next key and since when it waits; undefined if none does. Cancels the delay of an earlier result. */
  take(): { readonly key: string; readonly sinceMs: number } | undefined;
  done(key: string): void;
  /** The number of keys that a worker could take. */
  depth(): number;
  /** Until `resume`, nothing is delayed: scheduled keys are ready at once, so that no key is lost between two runs. */
  pause(): void;
  resume(): void;
}

/** A retried key gets its turn after this many changed keys, however many changes there are. */
const changesPerRepeat = 8;

/** `onReady` is called when a key can be taken. The queue starts paused. */
export const createWorkQueue = (clock: Clock, onReady: () => void): WorkQueue => {
  const ready: Record<Urgency, Map<string, number>> = { change: new Map(), again: new Map() };
  const active = new Set<string>();
  // Keys that were added while being processed: they are ready when that is done.
  const dirty = new Map<string, Urgency>();
  const delays = new Map<string, { readonly key: string; readonly atMs: number; readonly cancel: () => void }>();
  // An iterator continues at its position: a new one would skip all earlier keys each time.
  const order: Record<Urgency, MapIterator<[string, number]>> = {
    change: ready.change.entries(),
    again: ready.again.entries(),
  };
  let changesInARow = 0;
  let paused = true;

  const add = (key: string, urgency: Urgency): void => {
    if (active.has(key)) {
      if (dirty.get(key) !== 'change') dirty.set(key, urgency);
      return;
    }
    if (ready.change.has(key) || (urgency === 'again' && ready.again.has(key))) return;
    const sinceMs = ready.again.get(key) ?? clock.monotonicMs();
    ready.again.delete(key);
    ready[urgency].set(key, sinceMs);
    onReady();
  };

  const drop = (id: string): void => {
    delays.get(id)?.cancel();
    delays.delete(id);
  };

  const pickFrom = (urgency: Urgency): { readonly key: string; readonly sinceMs: number } | undefined => {
    if (ready[urgency].size === 0) return undefined;
    let next = order[urgency].next();
    if (next.done) {
      order[urgency] = ready[urgency].entries();
      next = order[urgency].next();
    }
    if (next.done) return undefined;
    const [key, sinceMs] = next.value;
    ready[urgency].delete(key);
    changesInARow = urgency === 'change' ? changesInARow + 1 : 0;
    return { key, sinceMs };
  };

  return {
    add,
    addAfter: (key, delayMs, owner) => {
      if (paused) {
        add(key, 'again');
        return;
      }
      const id = `${owner} ${key}`;
      const atMs = clock.monotonicMs() + delayMs;
      const existing = delays.get(id);
      if (owner === 'caller' && existing && existing.atMs <= atMs) return;
      drop(id);
      const fire = () => {
        delays.delete(id);
        add(key, 'again');
      };
      delays.set(id, { key, atMs, cancel: clock.schedule(fire, delayMs) });
    },
    take: () => {
      const turnOfRepeats = changesInARow >= changesPerRepeat;
      const picked = (turnOfRepeats ? pickFrom('again') : undefined) ?? pickFrom('change') ?? pickFrom('again');
      if (!picked) return undefined;
      active.add(picked.key);
      drop(`result ${picked.key}`);
      return picked;
    },
    done: (key) => {
      active.delete(key);
      const urgency = dirty.get(key);
      dirty.delete(key);
      if (urgency) add(key, urgency);
    },
    depth: () => ready.change.size + ready.again.size,
    pause: () => {
      paused = true;
      for (const [id, { key }] of [...delays]) {
        drop(id);
        add(key, 'again');
      }
    },
    resume: () => {
      paused = false;
    },
  };
};
