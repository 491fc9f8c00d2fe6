import { type Clock, sleep } from '@vdo/base/clock';
import type { VirtualClock } from '@vdo/base/virtual-clock';

export interface UntilOptions {
  /** Limit in the time of the clock; five minutes by default. */
  readonly withinMs?: number;
  /** Text to add to the failure; nothing by default. */
  readonly describe?: () => Promise<string>;
}

export type Until = <T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  options?: UntilOptions,
) => Promise<T>;

const stepMs = 100;

/** Advances a virtual clock; waits with a real one. */
export const passTime = (clock: Clock | VirtualClock, ms: number): Promise<void> =>
  'advance' in clock ? clock.advance(ms) : sleep(clock, ms);

/** Lets time pass until `check` returns a value. */
export const createUntil =
  (clock: Clock | VirtualClock): Until =>
  async (what, check, { withinMs = 300_000, describe } = {}) => {
    for (let waitedMs = 0; waitedMs < withinMs; waitedMs += stepMs) {
      const value = await check();
      if (value !== undefined && value !== false) return value;
      await passTime(clock, stepMs);
    }
    throw new Error(`never happened within ${withinMs / 1000} s: ${what}${describe ? `\n${await describe()}` : ''}`);
  };
