import { onAbort } from '@vdo/base/async/on-abort';
import { type Clock, sleep } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { backoffMs } from '@vdo/base/retry';
import { VdoError } from '@vdo/base/vdo-error';
import { createPollLength } from '../property/poll-length.ts';
import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { watchedViewSpec } from '../property/specs.ts';
import { canResume, type UpdateBatch, updateStream } from '../property/update-stream.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import { createListView, destroyView, modifyListView } from '../wire/methods/property.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { TaskInfo } from '../wire/types/task.ts';
import { createEarlyPolls } from './early-polls.ts';
import { createPendingTasks, type FinishedTask } from './pending-tasks.ts';
import { taskGone } from './task-error.ts';

/** Waits for vCenter tasks: one or two checks for short tasks, then one list view and one long poll for all longer ones. */
export interface TaskWaiter {
  /** The info of the successful task. Throws its error, or VCenterTaskForgotten if vCenter no longer has it. */
  wait(task: MoRef, options?: { readonly signal?: AbortSignal | undefined }): Promise<FinishedTask>;
  close(): void;
}

export interface TaskWaiterOptions {
  readonly session: VimSession;
  readonly clock: Clock;
  readonly random: Random;
  /** The long poll ends after this time without waiters; 5 min by default. */
  readonly idleMs?: number;
}

const taskProperties = defineProperties('Task', { info: TaskInfo });

export const createTaskWaiter = (options: TaskWaiterOptions): TaskWaiter => {
  const { session, clock, idleMs = 5 * 60_000 } = options;
  const length = createPollLength(30);
  const { server } = session.endpoint;
  const caller = session.vsanTasks;
  const pending = createPendingTasks(server, clock);
  const stop = new AbortController();
  /** Tasks that still run after the early checks. */
  const long = new Map<string, MoRef>();
  /** Those that are not in the view yet. */
  let added: MoRef[] = [];
  let running = false;
  const viewed = new Map<string, MoRef>();
  /** Brings the view up to date with `added`; set while there is a view. */
  let flush: (() => void) | undefined;

  /** Removes the tasks without waiters, and returns them. */
  const takeDone = (tasks: Map<string, MoRef>): readonly MoRef[] => {
    const done = [...tasks].filter(([, ref]) => !pending.has(ref));
    for (const [key] of done) tasks.delete(key);
    return done.map(([, ref]) => ref);
  };
  const isLongOnePending = (): boolean => {
    takeDone(long);
    return long.size > 0;
  };

  const readNow = async (refs: readonly MoRef[], signal: AbortSignal): Promise<void> => {
    const collector = requireManager(await session.open({ signal }), 'propertyCollector');
    const found = await retrieveObjects(caller, { properties: taskProperties, refs }, { collector, signal });
    // Read again: the session may have been lost and renewed by this call.
    const { renewedMs } = await session.open({ signal });
    for (const { ref, values } of found) if (values.info) pending.observe(ref, values.info, renewedMs);
    const known = new Set(found.map(({ ref }) => morefKey(ref)));
    for (const ref of refs) if (!known.has(morefKey(ref))) pending.fail(ref, taskGone(server, ref));
  };

  const syncView = async (view: MoRef, signal: AbortSignal): Promise<void> => {
    while (added.length > 0) {
      const add = added.filter(pending.has);
      added = [];
      if (add.length === 0) continue;
      await caller.call(modifyListView, { _this: view, add, remove: takeDone(viewed) }, { signal });
      for (const ref of add) viewed.set(morefKey(ref), ref);
      // Read again: a task that finished before it was added to the view may not be reported as a change.
      await readNow(add, signal);
    }
  };

  const observeAll = async (updates: UpdateBatch['updates'], signal: AbortSignal): Promise<void> => {
    const { renewedMs } = await session.open({ signal });
    for (const { obj, changeSet } of updates) {
      const info = changeSet.find(({ name }) => name === 'info')?.val;
      if (info) pending.observe(obj, info as FinishedTask, renewedMs);
    }
  };

  const follow = async (view: MoRef, round: AbortController): Promise<void> => {
    const { signal } = round;
    let syncing = Promise.resolve();
    flush = () => {
      syncing = syncing.then(() => syncView(view, signal)).catch((error: unknown) => round.abort(error));
    };
    viewed.clear();
    takeDone(long);
    added = [...long.values()];
    flush();
    let busyMs = clock.monotonicMs();
    const specs = [watchedViewSpec(taskProperties, view)];
    for await (const { updates } of updateStream(session, { signal, specs, caller, clock, length })) {
      await observeAll(updates, signal);
      if (isLongOnePending()) busyMs = clock.monotonicMs();
      else if (clock.monotonicMs() - busyMs > idleMs) return;
    }
  };

  const watchOnce = async (): Promise<void> => {
    const round = new AbortController();
    const stopListening = onAbort(stop.signal, () => round.abort(stop.signal.reason));
    const { signal } = round;
    try {
      const viewManager = requireManager(await session.open({ signal }), 'viewManager');
      const view = await caller.call(createListView, { _this: viewManager, obj: [] }, { signal });
      try {
        await follow(view, round);
      } finally {
        flush = undefined;
        await caller.call(destroyView, { _this: view }, { timeoutMs: 5_000 }).catch(() => undefined);
      }
    } finally {
      stopListening();
    }
  };

  const run = async (): Promise<void> => {
    for (let failures = 0; isLongOnePending() && !stop.signal.aborted; ) {
      try {
        await watchOnce();
        failures = 0;
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!canResume(error)) return pending.failAll(error);
        failures++;
        await sleep(clock, backoffMs(failures, options.random), { signal: stop.signal }).catch(() => undefined);
      }
    }
  };

  const start = (): void => {
    if (running) return;
    running = true;
    void run().finally(() => {
      running = false;
      if (isLongOnePending() && !stop.signal.aborted) start();
    });
  };

  const enlist = createEarlyPolls({
    clock,
    observe: (refs) => readNow(refs, stop.signal),
    isPending: pending.has,
    onLong: (refs) => {
      for (const ref of refs) long.set(morefKey(ref), ref);
      added.push(...refs);
      start();
      flush?.();
    },
  });

  return {
    wait: async (task, { signal } = {}) => {
      stop.signal.throwIfAborted();
      return pending.wait(task, { signal, isNew: () => enlist(task) });
    },
    close: () => {
      const reason = new VdoError({
        code: 'Cancelled',
        message: `the connection to vCenter ${server} was closed while tasks were running there`,
        remedy: 'No action needed: unfinished tasks are checked at the next start.',
      });
      stop.abort(reason);
      pending.failAll(reason);
    },
  };
};
