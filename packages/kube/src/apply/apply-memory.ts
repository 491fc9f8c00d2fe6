import { createHash } from 'node:crypto';
import type { Clock } from '@vdo/base/clock';
import type { AnyObject, ObjectMeta } from '../types/object.ts';
import { type ObjectRef, refKey, refOf } from './object-ref.ts';

/** Another manager repeatedly undoes what is applied. */
export interface Contest {
  readonly ref: ObjectRef;
  /** The field manager, other than ours, that wrote last; undefined if unknown. */
  readonly manager?: string;
  readonly repairs: number;
}

/** Knows from its own applies and from watches which objects are still as they were applied: those need no request. */
export interface ApplyMemory {
  /** The object as it was applied, if nothing has to be done: it is unchanged, or it is contested and its turn has not come. */
  current(object: AnyObject): ObjectRef | undefined;
  /** Call before an object is applied: what a watch shows until `applied` or `failed` may be this very write, and is judged then. */
  applying(ref: ObjectRef): void;
  applied(object: AnyObject, live: AnyObject): void;
  /** The object was not applied, or the outcome is unknown. */
  failed(ref: ObjectRef): void;
  /** Whether a watch has shown that somebody changed or deleted the object since it was applied with the present content. */
  isDrifted(object: AnyObject): boolean;
  /** What a watch shows; undefined: the object was deleted. True if it is not what was applied, as far as is known yet. */
  saw(ref: ObjectRef, metadata: ObjectMeta | undefined): boolean;
  /** The object is contested and its turn has not come: nothing would be done until then. */
  isResting(ref: ObjectRef): boolean;
  /** Objects that were repaired so often that the other manager should be named. */
  isContested(ref: ObjectRef): boolean;
  blame(ref: ObjectRef, manager: string): void;
  contests(): readonly Contest[];
  /** How often an object was applied. */
  writes(): number;
  /** Milliseconds until the turn of a contested object. */
  dueInMs(): number;
  /** Others may have written: everything is applied again. */
  forget(): void;
  /** All objects are applied now: no object is contested any more. */
  retain(refs: readonly ObjectRef[]): void;
}

interface Version {
  readonly resourceVersion: string | undefined;
  readonly generation: number | undefined;
}

/** What a watch shows. */
type Shown = Version | 'gone';

/** An apply in progress. */
interface Flight {
  readonly before: Shown | undefined;
  /** What a watch has shown since the apply began. */
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

/** Interval after which objects are applied again, in case no watch shows a change. */
const reapplyMs = 5 * 60_000;
/** Number of repairs that are made at once; from then on the interval doubles. */
const promptRepairs = 3;
const longestMs = 120_000;
/** A contest is over when the object was unchanged for this time. */
const restMs = 10 * 60_000;

const versionOf = ({ resourceVersion, generation }: ObjectMeta): Version => ({ resourceVersion, generation });
// A status update of a workload changes its resourceVersion; only a changed spec changes its generation.
const isSame = (a: Version, b: Version): boolean =>
  a.generation !== undefined && b.generation !== undefined
    ? a.generation === b.generation
    : a.resourceVersion === b.resourceVersion;
const isVersion = (shown: Shown | undefined, version: Version): boolean =>
  shown !== undefined && shown !== 'gone' && isSame(shown, version);
/** The write of somebody else that a watch has shown after our apply; undefined if there is none. */
const writtenSince = ({ before, shown }: Flight, now: Version): Shown | undefined => {
  const own = shown.findLastIndex((one) => isVersion(one, now));
  const last = own < shown.length - 1 ? shown.at(-1) : undefined;
  // An apply that changes nothing causes no event.
  const isUnchanged = before !== undefined && before !== 'gone' && before.resourceVersion === now.resourceVersion;
  if (own >= 0 || isUnchanged || last === undefined) return last;
  // All of it came before the apply, which the watch has yet to show, unless its generation says otherwise.
  return last !== 'gone' && (last.generation ?? 0) > (now.generation ?? 0) ? last : undefined;
};
/** Whether the apply undid a change of somebody else. Fields that the apply did not change belong to others. */
const wasRepaired = (applied: Version, shown: Shown | undefined, now: Version): boolean =>
  shown === 'gone' || (shown !== undefined && !isSame(shown, applied) && !isSame(shown, now));
const hashOf = (object: AnyObject): string => createHash('sha256').update(JSON.stringify(object)).digest('hex');

/** `onDrift` is called for changes that somebody made while the object was being applied, unless it is left alone. */
export const createApplyMemory = (clock: Pick<Clock, 'monotonicMs'>, onDrift: () => void = () => {}): ApplyMemory => {
  const entries = new Map<string, Entry>();
  const seen = new Map<string, Shown>();
  const flights = new Map<string, Flight>();
  let writes = 0;
  /** The object before it was applied: the watch may report the apply before its reply arrives. */
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
