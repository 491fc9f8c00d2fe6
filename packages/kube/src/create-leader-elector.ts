import { onAbort } from '@vdo/base/async/on-abort';
import { type Clock, deadline, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import { createHeldLease } from './held-lease.ts';
import type { LeaderElector, Term } from './leader-election.ts';
import { createLeaseLock, type LeaseClient } from './lease-lock.ts';

/** How often a Lease is renewed, and how long its holder may be silent. */
export interface LeaseTimes {
  /** How long others wait for a silent holder. Default 15 s. */
  readonly leaseDurationMs?: number;
  /** A holder that could not renew for this time stops. Default 10 s. */
  readonly renewDeadlineMs?: number;
  /** Between attempts. Default 2 s. */
  readonly retryPeriodMs?: number;
}

export interface LeaderElectorOptions extends LeaseTimes {
  readonly client: LeaseClient;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Unique among all competing processes: host name and a random part. */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Releases the Lease at the end, after `lead` has ended, so that another process need not wait. Default true. */
  readonly releaseOnExit?: boolean;
  /** Annotation of the Lease by which a holder records that it left nothing unfinished. Default: none is read or written. */
  readonly settledKey?: string;
}

type Lead = (signal: AbortSignal, term: Term) => Promise<unknown>;

const jitterFactor = 1.2;

/** Competes for a Lease by the rules of client-go. The work ends before the Lease can belong to another process. */
export const createLeaderElector = (options: LeaderElectorOptions): LeaderElector => {
  const { clock, random, identity, lease, releaseOnExit = true } = options;
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options;
  checkTimes({ identity, leaseDurationMs, renewDeadlineMs, retryPeriodMs });
  const leaseName = `${lease.namespace}/${lease.name}`;
  const logger = options.logger.child({ lease: leaseName, identity });
  const lock = createLeaseLock({
    client: options.client,
    lease,
    identity,
    leaseDurationMs,
    settledKey: options.settledKey,
    clock,
  });
  const held = createHeldLease(clock, renewDeadlineMs);
  const gauge = options.metrics?.gauge<'lease'>({
    name: 'vdo_leader',
    help: '1 while this process holds the Lease.',
    labels: ['lease'],
  });
  let reportedHolder = '';
  let reportedFailure = '';

  const lost = (): VdoError =>
    new VdoError({
      code: 'LeaseLost',
      message: `${identity} no longer holds the Lease ${leaseName}`,
      remedy: `No action needed: the current holder continues. If this happens often, check for a stalled process or a slow API server.`,
      details: { lease: leaseName, holder: lock.holder() },
    });

  // One attempt within `limitMs`; true if we hold the Lease afterwards. Failures only mean "not now".
  const attempt = async (limitMs: number, parent?: AbortSignal): Promise<boolean> => {
    const limit = deadline(clock, limitMs, { reason: lost, ...(parent && { parent }) });
    try {
      const result = await lock.attempt(limit.signal);
      if (result.kind === 'held') held.renewed(result.since);
      else held.lost();
      reportedFailure = '';
    } catch (error) {
      if (!parent?.aborted) reportFailure(error);
    } finally {
      limit.dispose();
      reportHolder();
    }
    return held.isHeld();
  };

  // Logged once, not for each of many attempts.
  const reportFailure = (error: unknown): void => {
    const { message } = toVdoError(error);
    const isNews = message !== reportedFailure;
    reportedFailure = message;
    logger[isNews ? 'warn' : 'debug']('cannot acquire or renew the Lease, retrying', { error });
  };

  const reportHolder = (): void => {
    const holder = lock.holder();
    if (holder === reportedHolder) return;
    reportedHolder = holder;
    logger.info('the Lease has a new holder', { holder });
  };

  const acquire = async (signal: AbortSignal): Promise<void> => {
    gauge?.set({ lease: leaseName }, 0);
    logger.info('competing for the Lease');
    while (!(await attempt(renewDeadlineMs, signal)))
      await sleep(clock, retryPeriodMs * (1 + random.next() * jitterFactor), { signal });
    gauge?.set({ lease: leaseName }, 1);
  };

  // Renews until `done`; resolves early when the Lease is lost.
  const keep = async (done: AbortSignal): Promise<void> => {
    while (held.isHeld() && !done.aborted) {
      await sleep(clock, Math.min(retryPeriodMs, held.remainingMs()), { signal: done }).catch(() => {});
      // Not ended by `done`: the outcome of a renewal in progress must be known before the Lease is released.
      if (held.isHeld() && !done.aborted) await attempt(held.remainingMs());
    }
  };

  /** True if the work ended normally or because of `signal`; false if the Lease was lost. */
  const leadOnce = async (signal: AbortSignal, lead: Lead): Promise<boolean> => {
    const working = new AbortController();
    const finished = new AbortController();
    const stopListening = onAbort(signal, () => working.abort(signal.reason));
    const keeping = keep(finished.signal).then(() => {
      if (finished.signal.aborted) return;
      logger.warn('lost the Lease');
      working.abort(lost());
    });
    let end: unknown;
    try {
      end = await lead(working.signal, { inheritsSettled: lock.inheritsSettled() });
    } catch (error) {
      // Work that was aborted may end by throwing.
      if (!working.signal.aborted) throw error;
      if (error !== working.signal.reason && !isVdoError(error, 'LeaseLost', 'Cancelled'))
        logger.debug('the work ended with an error after it was stopped', { error });
    } finally {
      stopListening();
      finished.abort();
      await keeping;
      if (held.isHeld() && releaseOnExit) await release(end === 'settled');
      held.lost();
      gauge?.set({ lease: leaseName }, 0);
    }
    return !working.signal.aborted || signal.aborted;
  };

  // The work has ended and its signal is aborted: the last request needs its own time limit.
  const release = async (isSettled: boolean): Promise<void> => {
    const limit = deadline(clock, held.remainingMs(), { reason: lost });
    held.lost();
    try {
      await lock.release(limit.signal, { isSettled });
      logger.info('released the Lease');
    } catch (error) {
      logger.warn('could not release the Lease; it expires by itself', { error });
    } finally {
      limit.dispose();
    }
  };

  return {
    identity,
    isLeading: held.isHeld,
    assertHeld: () => {
      if (!held.isHeld()) throw lost();
    },
    run: async (signal, lead) => {
      while (!signal.aborted) {
        try {
          await acquire(signal);
        } catch (error) {
          if (signal.aborted) break;
          throw error;
        }
        if (await leadOnce(signal, lead)) return;
      }
    },
  };
};

const checkTimes = (times: {
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}): void => {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = times;
  const problem =
    times.identity === ''
      ? 'identity must not be empty'
      : leaseDurationMs < 1_000 || leaseDurationMs <= renewDeadlineMs
        ? 'leaseDurationMs must be at least 1000 and greater than renewDeadlineMs'
        : renewDeadlineMs <= retryPeriodMs * jitterFactor || retryPeriodMs <= 0
          ? `renewDeadlineMs must be greater than ${jitterFactor} × retryPeriodMs, which must be greater than 0`
          : undefined;
  if (problem)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `leader election does not work with these settings: ${problem}`,
      remedy: 'Correct the lease duration, renew deadline and retry period; 15 s, 10 s and 2 s are good values.',
      details: times,
    });
};
