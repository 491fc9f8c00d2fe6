import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { UpdatesSpec } from '@vdo/config/api/updates-spec';
import { parseDurationMs } from '@vdo/config/duration';
import type { ConfigMapState } from '@vdo/kube/config-map-state';
import { type KeptMatrix, type LoadedMatrix, loadMatrix } from '@vdo/releases/load-matrix';
import type { DocumentReaders } from '@vdo/releases/read-document';

export interface MatrixKeeper {
  /** The matrix in use; read again at its interval, or when the spec sets another source. */
  current(updates: UpdatesSpec, options: { readonly signal: AbortSignal }): Promise<LoadedMatrix>;
  /** Milliseconds until it is read again; infinite before the first time. */
  dueInMs(): number;
}

export interface MatrixKeeperOptions {
  readonly readers: DocumentReaders;
  /** Whether a source is unchanged since it was read. */
  readonly isCurrent: (source: UpdatesSpec['matrix']) => boolean;
  readonly store: ConfigMapState<KeptMatrix>;
  /** Set when the operator was built. */
  readonly defaultUrl?: string;
  /** Keys that the operator trusts without being listed in the spec. */
  readonly trustedKeys: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
}

const retryMs = 5 * 60_000;
const defaultIntervalMs = 6 * 3_600_000;

export const createMatrixKeeper = (options: MatrixKeeperOptions): MatrixKeeper => {
  const { readers, isCurrent, store, defaultUrl, clock, random } = options;
  /** The matrix read by this process: deleting or damaging its record has no effect. */
  let read: KeptMatrix['lastGood'];
  let kept: { readonly identity: string; readonly loaded: LoadedMatrix; readonly dueMs: number } | undefined;

  const load = async (updates: UpdatesSpec, signal: AbortSignal): Promise<LoadedMatrix> => {
    const { lastGood: noted } = await store.load();
    const lastGood = noted ?? read;
    const loaded = await loadMatrix({
      ...readers,
      sources: { spec: updates.matrix, defaultUrl },
      trustedKeys: [...options.trustedKeys, ...updates.trustedKeys],
      publisherKeys: options.trustedKeys,
      lastGood,
      signal,
    });
    const isNew = loaded.problem === undefined && (updates.matrix !== undefined || defaultUrl !== undefined);
    if (isNew) read = { matrix: loaded.matrix, source: loaded.source };
    if (read && (isNew || !noted) && (noted?.source !== read.source || noted.matrix.serial !== read.matrix.serial))
      await store.save({ lastGood: read }, { signal });
    return loaded;
  };

  return {
    current: async (updates, { signal }) => {
      const identity = JSON.stringify([updates.matrix, updates.trustedKeys]);
      if (kept?.identity === identity && clock.monotonicMs() < kept.dueMs && isCurrent(updates.matrix))
        return kept.loaded;
      // From here the source counts as read. If the pass ends before it is recorded, it is read again.
      kept = undefined;
      const loaded = await load(updates, signal);
      const intervalMs = parseDurationMs(updates.interval) ?? defaultIntervalMs;
      // Jitter keeps a fleet of clusters from reading in the same second.
      const waitMs = (loaded.problem ? Math.min(intervalMs, retryMs) : intervalMs) * (0.9 + random.next() / 5);
      kept = { identity, loaded, dueMs: clock.monotonicMs() + waitMs };
      return loaded;
    },
    dueInMs: () => (kept ? Math.max(0, kept.dueMs - clock.monotonicMs()) : Number.POSITIVE_INFINITY),
  };
};
