import { createHash } from 'node:crypto';
import type { Clock } from '@vdo/base/clock';
import type { AnyObject, ObjectMeta } from '../types/object.ts';
import { type ObjectRef, refKey, refOf } from './object-ref.ts';

/** Somebody undoes what is applied, again and again. */
export interface Contest {
  readonly ref: ObjectRef;
  /** The other field manager that wrote last; undefined if unknown. */
  readonly manager?: string;
  readonly repairs: number;
}

/** Knows from its own applies and from watches which objects are as they were applied: those need no request. */
export interface ApplyMemory {
  /** The object as it was applied, if there is nothing to do: it is still so, or somebody fights for it and its time has not come. */
  current(object: AnyObject): ObjectRef | undefined;
  /** It is about to be applied: what a watch shows until `applied` or `failed` may be this very write, and is judged then. */
  applying(ref: ObjectRef): void;
  applied(object: AnyObject, live: AnyObject): void;
  /** It was not applied, or nobody knows. */
  failed(ref: ObjectRef): void;
  /** Whether a watch has shown that somebody changed or deleted the object since it was applied as it is wanted now. */
  isDrifted(object: AnyObject): boolean;
  /** What a watch shows; undefined: it is gone. True if it is not what was applied, as far as that is known yet. */
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
  /** Others may have written: everything is applied again. */
  forget(): void;
  /** All that is applied by now: whoever fought for something else has won, or it is gone. */
  retain(refs: readonly ObjectRef[]): void;
}

interface Version {
  readonly resourceVersion: string | undefined;
  readonly generation: number | undefined;
}

/** What a watch shows. */
type Shown = Version | 'gone';

/** An apply that is on its way. */
interface Flight {
  readonly before: Shown | undefined;
  /** What a watch has shown since it began. */
  readonly shown: Shown[];
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
// The status of a workload changes its resourceVersion; only a changed spec changes its generation.
const isSame = (a: Version, b: Version): boolean =>
  a.generation !== undefined && b.generation !== undefined
    ? a.generation === b.generation
    : a.resourceVersion === b.resourceVersion;
const isVersion = (shown: Shown | undefined, version: Version): boolean =>
  shown !== undefined && shown !== 'gone' && isSame(shown, version);
/** What a watch has shown during an apply that somebody wrote after it; undefined if there is no such thing. */
const writtenSince = ({ before, shown }: Flight, now: Version): Shown | undefined => {
  const own = shown.findLastIndex((one) => isVersion(one, now));
  const last = own < shown.length - 1 ? shown.at(-1) : undefined;
  // An apply that changes nothing is not shown.
  const isUnchanged = before !== undefined && before !== 'gone' && before.resourceVersion === now.resourceVersion;
  if (own >= 0 || isUnchanged || last === undefined) return last;
  // All of it came before the apply, which is yet to be shown, unless its generation says otherwise.
  return last !== 'gone' && (last.generation ?? 0) > (now.generation ?? 0) ? last : undefined;
};
/** Whether applying changed back what somebody had changed. What it left as it was is somebody else's field. */
const wasRepaired = (applied: Version, shown: Shown | undefined, now: Version): boolean =>
  shown === 'gone' || (shown !== undefined && !isSame(shown, applied) && !isSame(shown, now));
const hashOf = (object: AnyObject): string => createHash('sha256').update(JSON.stringify(object)).digest('hex');

/** `onDrift` hears of what somebody has changed while it was being applied, unless it rests. */
export const createApplyMemory = (clock: Pick<Clock, 'monotonicMs'>, onDrift: () => void = () => {}): ApplyMemory => {
  const entries = new Map<string, Entry>();
  const seen = new Map<string, Shown>();
  const flights = new Map<string, Flight>();
  let writes = 0;
  /** What was seen of an object before it was applied: the watch may report the apply before its reply arrives. */
  const seenBefore = new Map<string, Shown | undefined>();

  const isAsApplied = (key: string, { version }: Entry): boolean => {
    const shown = seen.get(key);
    return shown === undefined || isVersion(shown, version);
  };
  const isResting = (key: string): boolean => clock.monotonicMs() < (entries.get(key)?.nextMs ?? 0);

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
    applying: (ref) => {
      const key = refKey(ref);
      flights.set(key, { before: seen.get(key), shown: [] });
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
      writes += 1;
      const flight = flights.get(key);
      flights.delete(key);
      const since = flight && writtenSince(flight, version);
      if (seen.has(key)) seen.set(key, since ?? version);
      if (since && !isResting(key)) onDrift();
    },
    failed: (ref) => {
      const key = refKey(ref);
      const flight = flights.get(key);
      flights.delete(key);
      const entry = entries.get(key);
      if (flight?.shown.length && !(entry && isAsApplied(key, entry)) && !isResting(key)) onDrift();
    },
    isDrifted: (object) => {
      const key = refKey(refOf(object));
      const entry = entries.get(key);
      return entry !== undefined && entry.hash === hashOf(object) && !isAsApplied(key, entry);
    },
    writes: () => writes,
    saw: (ref, metadata) => {
      const key = refKey(ref);
      const shown = metadata ? versionOf(metadata) : 'gone';
      seen.set(key, shown);
      const flight = flights.get(key);
      flight?.shown.push(shown);
      if (flight) return false;
      const entry = entries.get(key);
      return !entry || !isAsApplied(key, entry);
    },
    isResting: (ref) => isResting(refKey(ref)),
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
