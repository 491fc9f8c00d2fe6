import type { Clock } from '@vdo/base/clock';

/**
 * Limits how many nodes go within an hour to a tenth of all, one at least. Each deletion is proven by itself; this is the
 * second line against a mistake that proves too much.
 */
export interface DeletionBudget {
  left(nodeCount: number): number;
  spend(): void;
}

const hourMs = 3_600_000;

export const createDeletionBudget = (clock: Clock): DeletionBudget => {
  let spentAtMs: readonly number[] = [];
  return {
    left: (nodeCount) => {
      spentAtMs = spentAtMs.filter((atMs) => clock.monotonicMs() - atMs < hourMs);
      // Deleted nodes are no longer counted among all: the tenth is of what there was.
      const before = nodeCount + spentAtMs.length;
      return Math.max(0, Math.max(1, Math.floor(before / 10)) - spentAtMs.length);
    },
    spend: () => {
      spentAtMs = [...spentAtMs, clock.monotonicMs()];
    },
  };
};
