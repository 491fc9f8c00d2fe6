import type { Clock } from '@vdo/base/clock';
import type { MoRef } from '../wire/moref.ts';

export interface EarlyPollsOptions {
  readonly clock: Clock;
  /** Reads the tasks and settles those that have ended. */
  readonly observe: (tasks: readonly MoRef[]) => Promise<void>;
  readonly isPending: (task: MoRef) => boolean;
  /** Receives tasks that are still running, or that could not be read. */
  readonly onLong: (tasks: readonly MoRef[]) => void;
  /** Pauses before each check. Tasks that begin within the same pause are checked together. */
  readonly pausesMs?: readonly number[];
}

/**
 * Checks new tasks a few times, many in one call. Most end by then and are never added to the view. This matters because vCenter recomputes
 * the content of the view at each change.
 */
export const createEarlyPolls = (options: EarlyPollsOptions): ((task: MoRef) => void) => {
  const { clock, observe, isPending, onLong, pausesMs = [30, 200] } = options;
  const stages = pausesMs.map((pauseMs) => ({ pauseMs, tasks: [] as MoRef[] }));

  const enter = (tasks: readonly MoRef[], index: number): void => {
    const stage = stages[index];
    if (tasks.length === 0) return;
    if (!stage) {
      onLong(tasks);
      return;
    }
    if (stage.tasks.length === 0) clock.schedule(() => void leave(index), stage.pauseMs);
    stage.tasks.push(...tasks);
  };

  const leave = async (index: number): Promise<void> => {
    const tasks = stages[index]?.tasks.splice(0).filter(isPending) ?? [];
    if (tasks.length === 0) return;
    try {
      await observe(tasks);
      enter(tasks.filter(isPending), index + 1);
    } catch {
      // The view handles a lost session.
      onLong(tasks.filter(isPending));
    }
  };

  return (task) => enter([task], 0);
};
