import { onAbort } from '@vdo/base/async/on-abort';
import type { Clock } from '@vdo/base/clock';
import { type MoRef, morefKey } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { TaskInfo } from '../wire/types/task.ts';
import { taskError, taskGone } from './task-error.ts';

export type FinishedTask = Value<typeof TaskInfo>;

interface Pending {
  readonly ref: MoRef;
  readonly waiters: Set<Waiter>;
  readonly sinceMs: number;
  /** When vCenter queued it, by its own clock; undefined until it was seen. */
  queuedMs?: number;
}

interface Waiter {
  resolve(info: FinishedTask): void;
  reject(error: unknown): void;
}

/** Records which callers wait for which task. No I/O. */
export interface PendingTasks {
  /** Waits until the task has finished. `isNew` is called if no other caller waited for it yet. */
  wait(
    task: MoRef,
    options: { readonly signal?: AbortSignal | undefined; readonly isNew: () => void },
  ): Promise<FinishedTask>;
  /**
   * Processes the state of a task; a finished task settles its waiters. A vCenter that was restored has lost its tasks and starts to number them
   * again. So a task with another queue time than the expected one, or that was not seen before `renewedMs`, when the session was lost, may be
   * another task with the same number. The expected task then counts as forgotten.
   */
  observe(task: MoRef, info: FinishedTask, renewedMs: number | undefined): void;
  fail(task: MoRef, error: unknown): void;
  failAll(error: unknown): void;
  has(task: MoRef): boolean;
}

export const createPendingTasks = (server: string, clock: Pick<Clock, 'monotonicMs'>): PendingTasks => {
  const pending = new Map<string, Pending>();

  const remove = (ref: MoRef): Iterable<Waiter> => {
    const entry = pending.get(morefKey(ref));
    if (!entry) return [];
    pending.delete(morefKey(ref));
    return entry.waiters;
  };
  const fail = (ref: MoRef, error: unknown): void => {
    for (const waiter of remove(ref)) waiter.reject(error);
  };

  const isAnother = (entry: Pending, info: FinishedTask, renewedMs: number | undefined): boolean =>
    entry.queuedMs === undefined
      ? renewedMs !== undefined && renewedMs >= entry.sinceMs
      : entry.queuedMs !== info.queueTime.getTime();

  return {
    wait: (task, { signal, isNew }) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const key = morefKey(task);
        const known = pending.get(key);
        const waiters = known?.waiters ?? new Set<Waiter>();
        const stopListening = onAbort(signal, () => {
          waiters.delete(waiter);
          if (waiters.size === 0) remove(task);
          reject(signal?.reason);
        });
        const waiter: Waiter = {
          resolve: (info) => {
            stopListening();
            resolve(info);
          },
          reject: (error) => {
            stopListening();
            reject(error);
          },
        };
        waiters.add(waiter);
        if (known) return;
        pending.set(key, { ref: task, waiters, sinceMs: clock.monotonicMs() });
        isNew();
      }),
    observe: (task, info, renewedMs) => {
      const entry = pending.get(morefKey(task));
      if (!entry) return;
      if (isAnother(entry, info, renewedMs)) {
        fail(task, taskGone(server, task));
        return;
      }
      entry.queuedMs = info.queueTime.getTime();
      if (info.state === 'success') for (const waiter of remove(task)) waiter.resolve(info);
      else if (info.state === 'error') fail(task, taskError(server, info));
    },
    fail,
    failAll: (error) => {
      for (const { ref } of [...pending.values()]) fail(ref, error);
    },
    has: (task) => pending.has(morefKey(task)),
  };
};
