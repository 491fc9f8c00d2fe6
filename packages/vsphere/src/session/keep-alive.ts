import type { Clock } from '@vdo/base/clock';

/** Sends a request on an idle session, so that vCenter does not end it. */
export interface KeepAlive {
  start(): void;
  /** Records that the session was just used. */
  touch(): void;
  stop(): void;
}

export const createKeepAlive = (options: {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly touch: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}): KeepAlive => {
  const { clock, idleMs } = options;
  let usedMs = clock.monotonicMs();
  let cancel: (() => void) | undefined;

  const wait = (delayMs: number): void => {
    cancel = clock.schedule(check, delayMs);
  };
  const check = (): void => {
    const idle = clock.monotonicMs() - usedMs;
    if (idle < idleMs) {
      wait(idleMs - idle);
      return;
    }
    usedMs = clock.monotonicMs();
    options.touch().catch(options.onError);
    wait(idleMs);
  };

  return {
    start: () => {
      usedMs = clock.monotonicMs();
      cancel?.();
      wait(idleMs);
    },
    touch: () => {
      usedMs = clock.monotonicMs();
    },
    stop: () => {
      cancel?.();
      cancel = undefined;
    },
  };
};
