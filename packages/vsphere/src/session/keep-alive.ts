import type { Clock } from '@vdo/base/clock';

/** Touches a session that nobody has used for a while, so that vCenter does not drop it. */
export interface KeepAlive {
  start(): void;
  /** Notes that the session was just used. */
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
