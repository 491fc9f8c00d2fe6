import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedProcess } from './process.ts';

/** How long to wait, and what to show when it was in vain. */
export interface WaitForOptions {
  /** Completes the sentence "waited 10 s for …". */
  readonly what: string;
  /** Default 30000. */
  readonly timeoutMs?: number;
  /** Default 100. */
  readonly everyMs?: number;
  /** Instead of a time: what the next attempt waits for. */
  readonly wait?: () => Promise<unknown>;
  /** Processes that must keep running meanwhile; the tails of their logs are shown on failure. */
  readonly processes?: readonly LoggedProcess[];
  readonly signal?: AbortSignal;
}

/**
 * Calls `attempt` until it gives something other than undefined, null or false, and returns that. An error counts as
 * "not yet". Throws with the last error and the logs' tails at the timeout, or as soon as one of the processes ends.
 */
export async function waitFor<T>(attempt: () => Promise<T> | T, options: WaitForOptions): Promise<NonNullable<T>> {
  const { what, timeoutMs = 30_000, everyMs = 100, processes = [], signal } = options;
  const { wait = () => sleep(everyMs, undefined, signal ? { signal } : {}) } = options;
  const startedMs = performance.now();
  let last: unknown;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const value = await attempt();
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<T>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    const ended = processes.find((process) => process.exitCode() !== undefined);
    const waitedMs = performance.now() - startedMs;
    if (ended) throw failure(`${ended.name} ended with ${ended.exitCode()} while waiting for ${what}`, last, processes);
    if (waitedMs > timeoutMs) throw failure(`waited ${(waitedMs / 1000).toFixed(1)} s for ${what}`, last, processes);
    await wait();
  }
}

function failure(summary: string, last: unknown, processes: readonly LoggedProcess[]): Error {
  const reason = last instanceof Error ? `; last error: ${last.message}` : '';
  const logs = processes.map((process) => `--- ${process.name}\n${process.tail(40)}`);
  return new Error([summary + reason, ...logs].join('\n'), { cause: last });
}
