import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { isVdoError } from '@vdo/base/vdo-error';

/** When nodes were deleted, in wall-clock time, so that the next process can use it. */
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
  /** In memory by default. */
  readonly store?: DeletionStore;
}

/**
 * Limits the deletions of Nodes within an hour to a tenth of all, and at least one. Each deletion needs its own proof; this
 * limit is a second defence in case the proof is wrong. One budget is used for one term as leader.
 */
export interface DeletionBudget {
  /**
   * Records a deletion before it happens; returns false if it is not allowed. Throws VdoError if the record cannot be read or
   * written. Nothing may be deleted then, because the deletion would not be counted after a restart.
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
  // One at a time, so that two concurrent deletions cannot both take the last allowed one.
  let turn: Promise<unknown> = Promise.resolve();

  // A Role written for the Go program does not allow ConfigMaps, and a cluster without the operator may lack the namespace. In
  // these cases the limit applies, but is not remembered across restarts.
  const withStore = async <T>(use: (store: DeletionStore) => Promise<T>): Promise<T> => {
    try {
      return await use(store);
    } catch (error) {
      if (!isVdoError(error, 'KubeForbidden') && !isVdoError(error, 'KubeNotFound')) throw error;
      logger.warn('cannot record deleted nodes: the limit on deletions starts from zero after a restart', { error });
      store = createMemoryStore();
      return use(store);
    }
  };
  const load = async (): Promise<readonly number[]> => {
    const record = await withStore((used) => used.load());
    // If the clock was set back, recorded deletions must still expire.
    return record.deletedAtMs.map((atMs) => Math.min(atMs, clock.now()));
  };

  const spend = async (countNodes: () => number): Promise<boolean> => {
    deletedAtMs ??= await load();
    const recent = deletedAtMs.filter((atMs) => clock.now() - atMs < hourMs);
    // The tenth is computed from the nodes that existed before the deletions, so deleted nodes are added.
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
