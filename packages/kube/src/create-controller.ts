import { aborted } from '@vdo/base/async/aborted';
import { onAbort } from '@vdo/base/async/on-abort';
import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { type BackoffOptions, backoffMs } from '@vdo/base/retry';
import { isVdoError, toVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { Controller, Reconcile } from './controller.ts';
import { createControllerMetrics } from './controller-metrics.ts';
import { createFailedAttempts } from './failed-attempts.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createWorkQueue } from './work-queue.ts';

export interface ControllerOptions {
  /** Appears in logs and metrics. */
  readonly name: string;
  readonly reconcile: Reconcile;
  /** Number of keys processed at the same time. Default 1. */
  readonly workers?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Between attempts on a key that fails, also by its error. Default 200 ms to 60 s. */
  readonly backoff?: BackoffOptions | ((error: VdoError) => BackoffOptions);
  /**
   * What an attempt on this key would ask of a server, as text; undefined if it would ask nothing and never will. While a question waits for its
   * next attempt, changes do not shorten that time, and runs with another question do not reset it. A changed question is asked at once.
   * Default: every change ends the wait.
   */
  readonly questionOf?: (key: string) => string | undefined;
  /**
   * An error that waits for a change (`on-change`) is nevertheless retried after about this time, since some
   * changes, such as those of RBAC, send no event. One that advises `never` is, too, at intervals that begin with this one
   * and double up to an hour: what failed for good in one state of vCenter may succeed in another, and no event says so.
   * A refusal of the API server is retried after seconds at first.
   * Default 5 min; Infinity for no such retries.
   */
  readonly recheckMs?: number;
  /** Fields of the log line about a failure, such as the ID under which other logs know the object. Default: none. */
  readonly fieldsOf?: (key: string) => Readonly<Record<string, string>>;
  /**
   * Work in progress when the controller is stopped may take this time to finish; nothing new is started. If the
   * Lease is lost, the work is aborted at once. Default 0.
   */
  readonly drainMs?: number;
}

const maxRecheckMs = 3_600_000;
const defaultBackoff = { initialMs: 200, maxMs: 60_000 };
/** For all keys together: an outage that fails a thousand keys must not cause a thousand attempts at once. */
const retryRate = { qps: 10, burst: 100 };

/** Number of keys started before the event loop can serve others: keys that never wait for I/O would all be processed in one turn. */
const keysPerTurn = 100;

/** A starting server refuses for some seconds what it allows later, because it has not read the rules yet. */
const isRefusal = (error: VdoError): boolean => isVdoError(error, 'KubeForbidden', 'KubeUnauthorized');
const firstRefusalMs = 2_000;

interface Failed {
  readonly question: string;
  readonly reconcileId: string;
  readonly error: unknown;
}

/** Errors that only a change can fix. A Lease that is lost before the end of its term, for example because the clock was set, is not one of them. */
const isTerminal = ({ retry, code }: VdoError): boolean => retry !== 'backoff' && code !== 'LeaseLost';

/** A work queue and its workers. Errors that advise `never` or `on-change` are retried rarely, and after a change. */
export const createController = (options: ControllerOptions): Controller => {
  const { name, clock, random, workers = 1, recheckMs = 300_000, drainMs = 0 } = options;
  const logger = options.logger.child({ controller: name });
  const metrics = createControllerMetrics(options.metrics, name);
  const retries = createRateLimiter({ clock, ...retryRate });
  const failures = createFailedAttempts(clock);
  /** How often in a row a key failed with advice `never`. */
  const hopeless = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let signal: AbortSignal | undefined;
  let isStopping = false;
  let leftThisTurn = keysPerTurn;

  const queue = createWorkQueue(clock, () => startWork());

  const startWork = (): void => {
    while (signal && !isStopping && running.size < workers && leftThisTurn > 0) {
      const taken = queue.take();
      if (!taken) break;
      leftThisTurn -= 1;
      if (leftThisTurn === 0) setImmediate(nextTurn);
      metrics.waited((clock.monotonicMs() - taken.sinceMs) / 1000);
      const work = runOnce(taken.key, signal).finally(() => {
        running.delete(work);
        queue.done(taken.key);
        startWork();
      });
      running.add(work);
    }
    reportDepth();
  };

  // Once per turn: thousands of keys may be enqueued in one.
  let depthIsReported = false;
  const reportDepth = (): void => {
    if (depthIsReported) return;
    depthIsReported = true;
    setImmediate(() => {
      depthIsReported = false;
      metrics.depth(queue.depth());
    });
  };

  const nextTurn = (): void => {
    leftThisTurn = keysPerTurn;
    startWork();
  };

  /** What this attempt asks; undefined if the same question failed and has to wait. */
  const ask = (key: string): string | undefined => {
    if (!options.questionOf) return '';
    const question = options.questionOf(key);
    if (question === undefined) {
      failures.forget(key);
      return '';
    }
    const leftMs = failures.leftMs(key, question);
    if (leftMs <= 0) return question;
    queue.addAfter(key, leftMs, 'result');
    return undefined;
  };

  const runOnce = async (key: string, stop: AbortSignal): Promise<void> => {
    const question = ask(key);
    if (question === undefined) return;
    const reconcileId = random.uuid();
    const startedMs = clock.monotonicMs();
    try {
      const result = await options.reconcile(key, { signal: stop, reconcileId });
      failures.ended(key, question);
      hopeless.delete(key);
      if (result?.requeueAfterMs !== undefined) queue.addAfter(key, result.requeueAfterMs, 'result');
      metrics.ended(result?.requeueAfterMs === undefined ? 'done' : 'requeued', clock.monotonicMs() - startedMs);
    } catch (error) {
      // The work was not completed: the next leader, perhaps this process again, has to do it.
      if (stop.aborted) {
        queue.add(key, 'again');
        return;
      }
      metrics.ended(failed(key, { question, reconcileId, error }), clock.monotonicMs() - startedMs);
    }
  };

  /** Plans the next attempt, and says in the log why there has to be one. */
  const failed = (key: string, run: Failed): 'terminal' | 'failed' => {
    const { question, reconcileId } = run;
    const failure = toVdoError(run.error);
    const terminal = isTerminal(failure);
    const retryInMs = terminal
      ? waitForChange(key, question, failure)
      : backOff(key, question, { ...defaultBackoff, ...pausesAfter(failure) });
    const isConflict = failure.code === 'KubeConflict';
    // Of two writers that met, the later one waits for the watch, which is a change.
    if (!terminal && !isConflict && options.questionOf) failures.holdFor(key, question, retryInMs ?? 0);
    const fields = {
      key,
      ...options.fieldsOf?.(key),
      reconcileId,
      error: failure,
      ...(retryInMs !== undefined && { retryInMs }),
    };
    // Two writers changed the object at the same time, which is normal with optimistic concurrency.
    if (isConflict) logger.debug('reconcile had a conflict', fields);
    else logger.error('reconcile failed', fields);
    return terminal ? 'terminal' : 'failed';
  };

  const pausesAfter = (failure: VdoError): BackoffOptions | undefined =>
    typeof options.backoff === 'function' ? options.backoff(failure) : options.backoff;

  const backOff = (key: string, question: string, pauses: BackoffOptions): number => {
    hopeless.delete(key);
    const attempt = failures.count(key, question);
    const delayMs = Math.max(backoffMs(attempt, random, pauses), retries.reserveMs());
    queue.addAfter(key, delayMs, 'result');
    return Math.round(delayMs);
  };

  const waitForChange = (key: string, question: string, failure: VdoError): number | undefined => {
    const { retry } = failure;
    if (recheckMs === Number.POSITIVE_INFINITY) return undefined;
    if (isRefusal(failure)) return backOff(key, question, { initialMs: firstRefusalMs, maxMs: recheckMs });
    failures.ended(key, question);
    const before = retry === 'never' ? (hopeless.get(key) ?? 0) : 0;
    if (retry === 'never') hopeless.set(key, before + 1);
    else hopeless.delete(key);
    const intervalMs = Math.max(recheckMs, Math.min(recheckMs * 2 ** before, maxRecheckMs));
    const delayMs = intervalMs * (1 + random.next() / 4);
    queue.addAfter(key, delayMs, 'result');
    return Math.round(delayMs);
  };

  return {
    enqueue: (key, { afterMs } = {}) => {
      if (afterMs === undefined) queue.add(key, 'change');
      else queue.addAfter(key, afterMs, 'caller');
    },
    run: async (stop) => {
      const work = new AbortController();
      signal = work.signal;
      isStopping = stop.aborted;
      onAbort(stop, () => {
        isStopping = true;
        if (drainMs === 0 || isVdoError(stop.reason, 'LeaseLost')) work.abort(stop.reason);
      });
      failures.clear();
      hopeless.clear();
      queue.resume();
      startWork();
      await aborted(stop);
      queue.pause();
      const over = new AbortController();
      const limit = sleep(clock, drainMs, { signal: over.signal }).catch(() => {});
      if (!work.signal.aborted) await Promise.race([Promise.all(running), limit]);
      over.abort();
      work.abort(stop.reason);
      await Promise.all(running);
    },
  };
};
