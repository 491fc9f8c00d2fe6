import { onAbort } from '@vdo/base/async/on-abort';
import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { backoffMs } from '@vdo/base/retry';
import { isMissingObject } from '../property/missing.ts';
import { createPollLength, type PollLength } from '../property/poll-length.ts';
import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { nodesSpec } from '../property/specs.ts';
import { canResume, type UpdateBatch, updateStream } from '../property/update-stream.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import { createListView, destroyView, modifyListView } from '../wire/methods/property.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { string } from '../wire/schema.ts';
import { aboveProperties } from './ancestors.ts';
import type { NodeWatchOptions } from './node-inventory.ts';
import { datastoreProperties, hostProperties } from './place-properties.ts';
import type { PlaceStore } from './place-store.ts';
import { vmProperties } from './vm-properties.ts';
import type { VmStore } from './vm-store.ts';

export interface VmWatchOptions {
  readonly session: VimSession;
  readonly store: VmStore;
  /** Updated with where the VMs run, by the same long poll. */
  readonly places: PlaceStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Keeps the facts of the store's VMs up to date, with a list view of exactly these VMs and one long poll. */
export interface VmWatch {
  /** Informs the watch that the store has more VMs. */
  added(refs: readonly MoRef[]): void;
  /** Watches until aborted, through outages and new sessions. */
  run(signal: AbortSignal, options?: NodeWatchOptions): Promise<void>;
}

const vmNames = defineProperties('VirtualMachine', { name: string });

// Errors that only a person can fix are retried from time to time. The login guard makes sure that this causes no calls.
const stalledMs = 60_000;

interface Following {
  readonly length: PollLength;
  /** A reply of vCenter was applied. */
  readonly onReply: () => void;
}

export const createVmWatch = (options: VmWatchOptions): VmWatch => {
  const { session, store, places, clock, logger } = options;
  const { vim } = session;
  let queued: MoRef[] = [];
  let wake: (() => void) | undefined;
  /** Nothing has failed since the watch began or since the last reply. */
  let isFollowing = true;

  const storeOf = ({ type }: MoRef): Pick<VmStore, 'change' | 'remove'> => (type === 'VirtualMachine' ? store : places);

  const apply = ({ updates, missing, truncated }: UpdateBatch): void => {
    for (const { kind, obj, changeSet } of updates)
      if (kind === 'leave') storeOf(obj).remove(obj);
      else storeOf(obj).change(obj, changeSet);
    for (const ref of missing) storeOf(ref).remove(ref);
    if (!truncated) places.settle();
  };

  const extend = async (view: MoRef, signal: AbortSignal): Promise<void> => {
    const add = queued;
    queued = [];
    if (add.length > 0) await vim.call(modifyListView, { _this: view, add, remove: [] }, { signal });
  };

  const follow = async (view: MoRef, round: AbortController, { length, onReply }: Following): Promise<void> => {
    const { signal } = round;
    let extending = Promise.resolve();
    wake = () => {
      extending = extending.then(() => extend(view, signal)).catch((error: unknown) => round.abort(error));
    };
    wake();
    places.begin();
    const watched = {
      vm: vmProperties,
      host: hostProperties,
      datastore: datastoreProperties,
      above: aboveProperties,
    };
    const specs = [nodesSpec(watched, view)];
    for await (const batch of updateStream(session, { signal, specs, clock, length })) {
      apply(batch);
      onReply();
    }
  };

  // vCenter refuses a view with a deleted object, and VMs may have been deleted while the watch did not run.
  const createView = async (signal: AbortSignal): Promise<MoRef> => {
    const opened = await session.open({ signal });
    const _this = requireManager(opened, 'viewManager');
    try {
      return await vim.call(createListView, { _this, obj: store.refs() }, { signal });
    } catch (error) {
      if (!isMissingObject(error)) throw error;
    }
    const collector = requireManager(opened, 'propertyCollector');
    const found = await retrieveObjects(vim, { properties: vmNames, refs: store.refs() }, { collector, signal });
    const there = new Set(found.map(({ ref }) => morefKey(ref)));
    for (const ref of store.refs()) if (!there.has(morefKey(ref))) store.remove(ref);
    return vim.call(createListView, { _this, obj: store.refs() }, { signal });
  };

  const watchOnce = async (stop: AbortSignal, following: Following): Promise<void> => {
    const round = new AbortController();
    const stopListening = onAbort(stop, () => round.abort(stop.reason));
    const { signal } = round;
    try {
      queued = [];
      const view = await createView(signal);
      try {
        await follow(view, round, following);
      } finally {
        wake = undefined;
        places.end();
        await vim.call(destroyView, { _this: view }, { timeoutMs: 5_000 }).catch(() => undefined);
      }
    } finally {
      stopListening();
    }
  };

  const firstVm = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (store.refs().length > 0 || signal.aborted) return resolve();
      const done = () => {
        stopListening();
        wake = undefined;
        resolve();
      };
      wake = done;
      const stopListening = onAbort(signal, () => wake?.());
    });

  /** Repeated failures are reported only once. */
  const reportBreak = ({ onInterrupt }: NodeWatchOptions): void => {
    if (isFollowing) onInterrupt?.();
    isFollowing = false;
  };
  const reportReply = ({ onRestored }: NodeWatchOptions): void => {
    const wasFollowing = isFollowing;
    isFollowing = true;
    if (!wasFollowing) onRestored?.();
  };

  const pauseAfter = (error: unknown, failures: number, { maxRetryMs }: NodeWatchOptions): number => {
    if (!canResume(error)) return stalledMs;
    return backoffMs(failures, options.random, maxRetryMs === undefined ? {} : { maxMs: maxRetryMs });
  };

  return {
    added: (refs) => {
      queued.push(...refs);
      wake?.();
    },
    run: async (signal, watching = {}) => {
      const length = createPollLength(watching.maxWaitSeconds);
      const following = { length, onReply: () => reportReply(watching) };
      for (let failures = 0; !signal.aborted; ) {
        await firstVm(signal);
        if (signal.aborted) return;
        const startedMs = clock.monotonicMs();
        try {
          await watchOnce(signal, following);
        } catch (error) {
          if (signal.aborted) return;
          reportBreak(watching);
          // If a watch worked for a while, the counter of failures starts again.
          failures = clock.monotonicMs() - startedMs > stalledMs ? 1 : failures + 1;
          const delayMs = pauseAfter(error, failures, watching);
          logger.warn('watching node VMs was interrupted', { server: session.endpoint.server, error, delayMs });
          await sleep(clock, delayMs, { signal }).catch(() => undefined);
        }
      }
    },
  };
};
