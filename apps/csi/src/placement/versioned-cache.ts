import type { Clock } from '@vdo/base/clock';

/** Answers that are valid until their input changes, up to a maximum age. */
export interface VersionedCache<T> {
  /** The cached answer if it is for this version; otherwise the result of `load`, which concurrent callers share. Failures are not cached. */
  get(id: string, version: string, load: () => Promise<T>): Promise<T>;
  clear(): void;
}

export const createVersionedCache = <T>(options: {
  readonly clock: Clock;
  readonly maxAgeMs: number;
}): VersionedCache<T> => {
  const { clock, maxAgeMs } = options;
  const entries = new Map<string, { readonly version: string; readonly atMs: number; readonly value: Promise<T> }>();
  return {
    get: (id, version, load) => {
      const kept = entries.get(id);
      if (kept && kept.version === version && clock.monotonicMs() - kept.atMs < maxAgeMs) return kept.value;
      const entry = { version, atMs: clock.monotonicMs(), value: load() };
      entries.set(id, entry);
      entry.value.catch(() => {
        if (entries.get(id) === entry) entries.delete(id);
      });
      return entry.value;
    },
    clear: () => entries.clear(),
  };
};
