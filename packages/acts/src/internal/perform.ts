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
  if (!its) throw evidenceMissing(`an attempt to ${attempt.act} ${attempt.subject} was not begun here`);
  return its;
};

export interface Sending {
  readonly client: KubeClient;
  readonly signal?: AbortSignal;
  /** Called right before each sending: throws if the evidence does not hold any more, else the act is recorded. */
  readonly beforeSend: () => void;
}

/** Does what cannot be undone. The evidence is checked before anything else, and again right before each sending. */
export const perform = async <R>(
  attempt: Attempt,
  evidence: readonly Evidence[],
  send: (sending: Sending) => Promise<R>,
): Promise<R> => {
  const { client, clock, log, signal } = meansOf(attempt);
  if (evidence.length === 0) throw evidenceMissing(`cannot ${attempt.act} ${attempt.subject} on no evidence`);
  attempt.assertGood(...evidence);
  const { id, act, subject, beganMs } = attempt;
  const facts = evidence.flatMap((piece) => piece.facts);
  const beforeSend = () => {
    attempt.assertGood(...evidence);
    const sentMs = clock.monotonicMs();
    log.record({ attempt: id, act, subject, attemptBeganMs: beganMs, sentMs, evidence: facts });
  };
  return send({ client, beforeSend, ...(signal ? { signal } : {}) });
};
