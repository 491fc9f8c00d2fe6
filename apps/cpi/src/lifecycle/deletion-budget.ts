import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { isVdoError } from '@vdo/base/vdo-error';

/** When nodes were deleted, by the wall clock: it must mean something to the next process. */
export interface DeletionRecord {
  readonly deletedAtMs: readonly number[];
}

/** Keeps the record across restarts and changes of the leader. */
export interface DeletionStore {
  load(): Promise<DeletionRecord>;
  save(record: DeletionRecord): Promise<void>;
}

export interface DeletionBudgetOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: in memory. */
  readonly store?: DeletionStore;
}

/**
 * Limits how many nodes go within an hour to a tenth of all, one at least. Each deletion is proven by itself; this is the
 * second line against a mistake that proves too much. One budget serves one term as the leader.
 */
export interface DeletionBudget {
  /**
   * Notes a deletion that is about to happen; false if it may not. Throws VdoError if the record can be neither read nor
   * written: then nothing may be deleted either, since nobody would remember it.
   */
  spend(countNodes: () => number): Promise<boolean>;
}

const hourMs = 3_600_000;

const createMemoryStore = (): DeletionStore => {
  let record: DeletionRecord = { deletedAtMs: [] };
  return {
    load: async () => record,
    save: async (next) => {
      record = next;
    },
  };
};

export const createDeletionBudget = ({ clock, logger, ...options }: DeletionBudgetOptions): DeletionBudget => {
  let store = options.store ?? createMemoryStore();
  let deletedAtMs: readonly number[] | undefined;
  // One after the other, so that two deletions cannot both be the last allowed one.
  let turn: Promise<unknown> = Promise.resolve();

  // A role made for the Go program has no ConfigMaps, and a cluster without the operator may not have the namespace: there the
  // limit holds without the memory.
  const withStore = async <T>(use: (store: DeletionStore) => Promise<T>): Promise<T> => {
    try {
      return await use(store);
    } catch (error) {
      if (!isVdoError(error, 'KubeForbidden') && !isVdoError(error, 'KubeNotFound')) throw error;
      logger.warn('deletions of nodes are not remembered across restarts', { error });
      store = createMemoryStore();
      return use(store);
    }
  };
  const load = async (): Promise<readonly number[]> => {
    const record = await withStore((used) => used.load());
    // A clock that was set back must not keep deletions from ageing.
    return record.deletedAtMs.map((atMs) => Math.min(atMs, clock.now()));
  };

  const spend = async (countNodes: () => number): Promise<boolean> => {
    deletedAtMs ??= await load();
    const recent = deletedAtMs.filter((atMs) => clock.now() - atMs < hourMs);
    // Deleted nodes are no longer counted among all: the tenth is of what there was.
    if (recent.length >= Math.max(1, Math.floor((countNodes() + recent.length) / 10))) return false;
    const next = [...recent, clock.now()];
    await withStore((used) => used.save({ deletedAtMs: next }));
    deletedAtMs = next;
    return true;
  };

  return {
    spend: (countNodes) => {
      const result = turn.then(() => spend(countNodes));
      turn = result.catch(() => undefined);
      return result;
    },
  };
};
