import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, test } from 'vitest';
import { createFailedAttempts } from './failed-attempts.ts';

test('counts in a row and waits per question; what ended well begins anew', async () => {
  const clock = createVirtualClock();
  const attempts = createFailedAttempts(clock);
  expect([attempts.count('a', 'x'), attempts.count('a', 'x'), attempts.count('a', 'y')]).toEqual([1, 2, 1]);
  attempts.holdFor('a', 'x', 1_000);
  expect([attempts.leftMs('a', 'x'), attempts.leftMs('a', 'y'), attempts.leftMs('b', 'x')]).toEqual([1_000, 0, 0]);
  attempts.ended('a', 'y');
  await clock.advance(400);
  expect(attempts.leftMs('a', 'x')).toBe(600);
  attempts.ended('a', 'x');
  expect([attempts.leftMs('a', 'x'), attempts.count('a', 'x')]).toEqual([0, 1]);
});

test('remembers a bounded number of questions of a key', () => {
  const attempts = createFailedAttempts(createVirtualClock());
  for (let index = 0; index < 1_000; index++) attempts.holdFor('a', `question ${index}`, 1_000);
  expect(attempts.leftMs('a', 'question 0')).toBe(0);
  expect(attempts.leftMs('a', 'question 999')).toBe(1_000);
  attempts.forget('a');
  expect(attempts.leftMs('a', 'question 999')).toBe(0);
});
