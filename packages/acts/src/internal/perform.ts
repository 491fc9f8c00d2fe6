import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { KubeClient } from '@vdo/kube/client';
import type { ActLog } from '../act-log.ts';
import type { Attempt } from '../attempt.ts';
import type { Evidence } from '../evidence.ts';
import { evidenceMissing } from './refusals.ts';

export interface AttemptMeans {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly fence: Fence;
  readonly log: ActLog;
  readonly signal?: AbortSignal;
  /** Of the beginning. */
  readonly order: number;
}

const means = new WeakMap<Attempt, AttemptMeans>();

export const registerAttempt = (attempt: Attempt, its: AttemptMeans): void => {
  means.set(attempt, its);
};

export const meansOf = (attempt: Attempt): AttemptMeans => {
  const its = means.get(attempt);
  if (!its) throw evidenceMissing(`the attempt to ${attempt.act} ${attempt.subject} was not started by this program`);
  return its;
};

export interface Sending {
  readonly client: KubeClient;
  readonly signal?: AbortSignal;
  /** Called right before each request: throws if the evidence is no longer valid, otherwise records the act. */
  readonly beforeSend: () => void;
}

export interface PartOfAct {
  readonly attempt: Attempt;
  readonly evidence: readonly Evidence[];
}

/** Performs an irreversible act for several attempts with one call. The evidence is checked now and right before each request. */
export const performTogether = async <R>(
  parts: readonly PartOfAct[],
  send: (sending: Pick<Sending, 'beforeSend'>) => Promise<R>,
): Promise<R> => {
  const check = ({ attempt, evidence }: PartOfAct): void => {
    if (evidence.length === 0) throw evidenceMissing(`cannot ${attempt.act} ${attempt.subject} without evidence`);
    attempt.assertGood(...evidence);
  };
  const note = ({ attempt, evidence }: PartOfAct): void => {
    const { clock, log } = meansOf(attempt);
    const { id, act, subject, beganMs: attemptBeganMs } = attempt;
    const facts = evidence.flatMap((piece) => piece.facts);
    log.record({ attempt: id, act, subject, attemptBeganMs, sentMs: clock.monotonicMs(), evidence: facts });
  };
  for (const { attempt } of parts) meansOf(attempt);
  parts.forEach(check);
  return send({
    beforeSend: () => {
      parts.forEach(check);
      parts.forEach(note);
    },
  });
};

/** The same for one attempt. */
export const perform = <R>(
  attempt: Attempt,
  evidence: readonly Evidence[],
  send: (sending: Sending) => Promise<R>,
): Promise<R> =>
  performTogether([{ attempt, evidence }], ({ beforeSend }) => {
    const { client, signal } = meansOf(attempt);
    return send({ client, beforeSend, ...(signal ? { signal } : {}) });
  });
