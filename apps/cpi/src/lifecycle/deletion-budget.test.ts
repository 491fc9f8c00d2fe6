import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, test } from 'vitest';
import { createDeletionBudget } from './deletion-budget.ts';

test('a small cluster may lose one node an hour', async () => {
  const clock = createVirtualClock();
  const budget = createDeletionBudget(clock);
  expect(budget.left(3)).toBe(1);
  budget.spend();
  expect(budget.left(2)).toBe(0);
  await clock.advance(3_600_000);
  expect(budget.left(2)).toBe(1);
});

test('a large one may lose a tenth of the nodes it had', () => {
  const budget = createDeletionBudget(createVirtualClock());
  let nodes = 1000;
  while (budget.left(nodes) > 0) {
    budget.spend();
    nodes--;
  }
  expect(nodes).toBe(900);
});
