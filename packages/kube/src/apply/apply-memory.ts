import { createHash } from 'node:crypto';
import type { Clock } from '@vdo/base/clock';
import type { AnyObject, ObjectMeta } from '../types/object.ts';
import { type ObjectRef, refKey, refOf } from './object-ref.ts';

/** Somebody undoes what is applied, again and again. */
export interface Contest {
  readonly ref: ObjectRef;
  /** The field manager that wrote last beside ours; undefined if nobody can be told. */
  readonly manager?: string;
  readonly repairs: number;
}

/** Knows from its own applies and from watches which objects are as they were applied: those need no request. */
export interface ApplyMemory {
  /** The object as it was applied, if there is nothing to do: it is still so, or somebody fights for it and its time has not come. */
  current(object: AnyObject): ObjectRef | undefined;
  applied(object: AnyObject, live: AnyObject): void;
  /** Whether a watch has shown that somebody changed or deleted the object since it was applied as it is wanted now. */
  isDrifted(object: AnyObject): boolean;
  /** What a watch shows; undefined: it is gone. True if it is not what was applied. */
  saw(ref: ObjectRef, metadata: ObjectMeta | undefined): boolean;
  /** Somebody fights for it and its time has not come: whatever becomes of it until then, nothing would be done. */
  isResting(ref: ObjectRef): boolean;
  /** Objects repaired so often that their rival should be named. */
  isContested(ref: ObjectRef): boolean;
  blame(ref: ObjectRef, manager: string): void;
  contests(): readonly Contest[];
  /** How often something was applied. */
  writes(): number;
  /** Milliseconds until an object that somebody fights for has its turn. */
  dueInMs(): number;
  /** Others may have written: everything is applied anew. */
  forget(): void;
  /** All that is applied by now: whoever fought for something else has won, or it is gone. */
  retain(refs: readonly ObjectRef[]): void;
}

interface Version {
  readonly resourceVersion: string | undefined;
  readonly generation: number | undefined;
}

interface Fight {
  readonly repairs: number;
  readonly repairedMs: number;
  readonly nextMs: number;
  readonly manager?: string;
}

interface Entry extends Fight {
  readonly ref: ObjectRef;
  readonly hash: string;
  readonly version: Version;
  readonly atMs: number;
}

const pickFight = ({ repairs, repairedMs, nextMs, manager }: Entry): Fight => ({
  repairs,
  repairedMs,
  nextMs,
  ...(manager ? { manager } : {}),
});

/** What no watch shows is repaired after so long. */
const reapplyMs = 5 * 60_000;
/** Repairs that come at once; from there on the distance doubles. */
const promptRepairs = 3;
const longestMs = 120_000;
/** A fight that has rested for so long is over. */
const restMs = 10 * 60_000;

const versionOf = ({ resourceVersion, generation }: ObjectMeta): Version => ({ resourceVersion, generation });
// The status of a workload moves its resourceVersion, and only a changed wish its generation.
const isSame = (a: Version, b: Version): boolean =>
  a.generation !== undefined && b.generation !== undefined
    ? a.generation === b.generation
    : a.resourceVersion === b.resourceVersion;
/** Whether applying changed back what somebody had changed. What it left as it was is somebody else's field. */
const wasRepaired = (applied: Version, shown: Version | 'gone' | undefined, now: Version): boolean =>
  shown === 'gone' || (shown !== undefined && !isSame(shown, applied) && !isSame(shown, now));
const hashOf = (object: AnyObject): string => createHash('sha256').update(JSON.stringify(object)).digest('hex');

export const createApplyMemory = (clock: Pick<Clock, 'monotonicMs'>): ApplyMemory => {
  const entries = new Map<string, Entry>();
  const seen = new Map<string, Version | 'gone'>();
  let writes = 0;
  /** What was seen of an object before it was applied: the watch may tell of the apply before its reply is here. */
  const seenBefore = new Map<string, Version | 'gone' | undefined>();

  const isAsApplied = (key: string, { version }: Entry): boolean => {
    const shown = seen.get(key);
    return shown === undefined || (shown !== 'gone' && isSame(shown, version));
  };

  const fightOf = (before: Entry | undefined, isRepair: boolean): Fight => {
    const nowMs = clock.monotonicMs();
    const old = before && nowMs - before.repairedMs < restMs ? before : undefined;
    if (!isRepair) return { repairs: 0, repairedMs: nowMs, ...(old && pickFight(old)), nextMs: 0 };
    const repairs = (old?.repairs ?? 0) + 1;
    const waitMs = repairs <= promptRepairs ? 0 : Math.min(longestMs, 1_000 * 2 ** (repairs - promptRepairs));
    return { ...(old && pickFight(old)), repairs, repairedMs: nowMs, nextMs: nowMs + waitMs };
  };

  return {
    current: (object) => {
      const key = refKey(refOf(object));
      const entry = entries.get(key);
      seenBefore.set(key, seen.get(key));
      if (!entry || entry.hash !== hashOf(object)) return undefined;
      const nowMs = clock.monotonicMs();
      const isFresh = isAsApplied(key, entry) && nowMs - entry.atMs < reapplyMs;
      return isFresh || nowMs < entry.nextMs ? entry.ref : undefined;
    },
    applied: (object, live) => {
      const { uid } = live.metadata;
      const ref = refOf({ ...object, metadata: { ...object.metadata, ...(uid && { uid }) } });
      const key = refKey(ref);
      const version = versionOf(live.metadata);
      const hash = hashOf(object);
      const before = entries.get(key);
      const isRepair = before?.hash === hash && wasRepaired(before.version, seenBefore.get(key), version);
      entries.set(key, { ref, hash, version, atMs: clock.monotonicMs(), ...fightOf(before, isRepair) });
      if (seen.has(key)) seen.set(key, version);
      writes += 1;
    },
    isDrifted: (object) => {
      const key = refKey(refOf(object));
      const entry = entries.get(key);
      return entry !== undefined && entry.hash === hashOf(object) && !isAsApplied(key, entry);
    },
    writes: () => writes,
    saw: (ref, metadata) => {
      const key = refKey(ref);
      seen.set(key, metadata ? versionOf(metadata) : 'gone');
      const entry = entries.get(key);
      return !entry || !isAsApplied(key, entry);
    },
    isResting: (ref) => clock.monotonicMs() < (entries.get(refKey(ref))?.nextMs ?? 0),
    isContested: (ref) => (entries.get(refKey(ref))?.repairs ?? 0) >= promptRepairs,
    blame: (ref, manager) => {
      const entry = entries.get(refKey(ref));
      if (entry) entries.set(refKey(ref), { ...entry, manager });
    },
    contests: () =>
      [...entries.values()]
        .filter(({ repairs, repairedMs }) => repairs > promptRepairs && clock.monotonicMs() - repairedMs < restMs)
        .map(({ ref, repairs, manager }) => ({ ref, repairs, ...(manager ? { manager } : {}) })),
    dueInMs: () => {
      const nowMs = clock.monotonicMs();
      const waiting = [...entries].filter(
        ([key, entry]) => nowMs < entry.nextMs || (entry.nextMs > 0 && !isAsApplied(key, entry)),
      );
      const times = waiting.map(([, { nextMs }]) => Math.max(0, nextMs - nowMs));
      return Math.min(Number.POSITIVE_INFINITY, ...times);
    },
    retain: (refs) => {
      const kept = new Set(refs.map(refKey));
      for (const key of entries.keys()) if (!kept.has(key)) entries.delete(key);
    },
    forget: () => {
      for (const [key, entry] of entries) entries.set(key, { ...entry, hash: '' });
      seen.clear();
    },
  };
};
