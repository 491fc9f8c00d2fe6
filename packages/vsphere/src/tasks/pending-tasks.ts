import { onAbort } from '@vdo/base/async/on-abort';
import { type MoRef, morefKey } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { TaskInfo } from '../wire/types/task.ts';
import { taskError } from './task-error.ts';

export type FinishedTask = Value<typeof TaskInfo>;

interface Waiter {
  resolve(info: FinishedTask): void;
  reject(error: unknown): void;
}

/** Who waits for which task. No I/O. */
export interface PendingTasks {
  /** Waits for the task to be observed as finished. `isNew` is called if nobody waited for it yet. */
  wait(
    task: MoRef,
    options: { readonly signal?: AbortSignal | undefined; readonly isNew: () => void },
  ): Promise<FinishedTask>;
  /** Tells of a task's state; a finished one settles its waiters. */
  observe(task: MoRef, info: FinishedTask): void;
  fail(task: MoRef, error: unknown): void;
  failAll(error: unknown): void;
  has(task: MoRef): boolean;
}

export const createPendingTasks = (server: string): PendingTasks => {
  const pending = new Map<string, { readonly ref: MoRef; readonly waiters: Set<Waiter> }>();

  const remove = (ref: MoRef): Iterable<Waiter> => {
    const entry = pending.get(morefKey(ref));
    if (!entry) return [];
    pending.delete(morefKey(ref));
    return entry.waiters;
  };
  const fail = (ref: MoRef, error: unknown): void => {
    for (const waiter of remove(ref)) waiter.reject(error);
  };

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
        pending.set(key, { ref: task, waiters });
        isNew();
      }),
    observe: (task, info) => {
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
