import { describe, expect, it } from 'vitest';
import { createWaker } from './waker.ts';

const setup = () => {
  let nowMs = 0;
  const delays: number[] = [];
  const waker = createWaker({ monotonicMs: () => nowMs }, (afterMs) => {
    delays.push(afterMs);
  });
  /** Something changes every second. */
  const changes = (seconds: number): void => {
    for (const endMs = nowMs + seconds * 1000; nowMs < endMs; nowMs += 1000) waker.wake();
  };
  return { waker, delays, changes };
};

describe('what wakes a pass', () => {
  it('is looked at promptly at first, and at last once a minute', () => {
    const { delays, changes } = setup();
    changes(8);
    expect(new Set(delays)).toEqual(new Set([100]));
    changes(600);
    expect(delays.at(-1)).toBe(60_000);
    expect(delays.length).toBeLessThan(30);
  });

  it('is looked at promptly again once the work gets on', () => {
    const { waker, delays, changes } = setup();
    changes(600);
    waker.forgive();
    changes(8);
    expect(delays.slice(-8)).toEqual(Array(8).fill(100));
  });
});
