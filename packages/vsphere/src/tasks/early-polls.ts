import type { Clock } from '@vdo/base/clock';
import type { MoRef } from '../wire/moref.ts';

export interface EarlyPollsOptions {
  readonly clock: Clock;
  /** Reads the tasks and settles those that have ended. */
  readonly observe: (tasks: readonly MoRef[]) => Promise<void>;
  readonly isPending: (task: MoRef) => boolean;
  /** Takes over tasks that are still running, or that could not be read. */
  readonly onLong: (tasks: readonly MoRef[]) => void;
  /** Pauses before each look. Tasks that begin within one are looked at together. */
  readonly pausesMs?: readonly number[];
}

/**
 * Looks at new tasks a few times, many at once. Most end by then and never cost a place in the view, whose every change makes vCenter
 * compute its content anew.
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
      // The view knows how to go on after a lost session.
      onLong(tasks.filter(isPending));
    }
  };

  return (task) => enter([task], 0);
};
