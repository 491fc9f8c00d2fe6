import type { Clock } from '@vdo/base/clock';
import type { HttpResponse } from '@vdo/base/http';

/** The clock of one process, which can stand still as under SIGSTOP: time goes on, the process does not notice. */
export interface ReplicaClock extends Clock {
  pause(): void;
  /** What came due in the meantime happens now. */
  resume(): void;
  /** Holds back what arrives while the process stands still. */
  hold(reply: HttpResponse): Promise<HttpResponse>;
}

export const createReplicaClock = (clock: Clock, skewMs: number): ReplicaClock => {
  let waiting: (() => void)[] | undefined;
  const awake = (): Promise<void> | undefined => {
    const line = waiting;
    return line && new Promise((resolve) => line.push(resolve));
  };
  const held = (body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => ({
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]();
      return {
        next: () => chunks.next().then((chunk) => awake()?.then(() => chunk) ?? chunk),
        return: async () => {
          void chunks.return?.().catch(() => {});
          return { done: true, value: undefined };
        },
      };
    },
  });
  return {
    now: () => clock.now() + skewMs,
    monotonicMs: clock.monotonicMs,
    schedule: (task, delayMs) => {
      let cancelled = false;
      const due = () => {
        if (cancelled) return;
        if (waiting) waiting.push(due);
        else task();
      };
      const cancel = clock.schedule(due, delayMs);
      return () => {
        cancelled = true;
        cancel();
      };
    },
    pause: () => {
      waiting ??= [];
    },
    resume: () => {
      const line = waiting ?? [];
      waiting = undefined;
      for (const wake of line) wake();
    },
    hold: async (reply) => {
      await awake();
      return { ...reply, body: held(reply.body) };
    },
  };
};
