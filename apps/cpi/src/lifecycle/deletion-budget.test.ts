import { silentLogger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, test } from 'vitest';
import { createDeletionBudget, type DeletionRecord, type DeletionStore } from './deletion-budget.ts';

const logger = silentLogger;
const createStore = (failure?: VdoError): DeletionStore & { saved: DeletionRecord } => ({
  saved: { deletedAtMs: [] },
  async load() {
    if (failure) throw failure;
    return this.saved;
  },
  async save(record) {
    if (failure) throw failure;
    this.saved = record;
  },
});

test('a small cluster may lose one node an hour', async () => {
  const clock = createVirtualClock();
  const budget = createDeletionBudget({ clock, logger });
  expect(await budget.spend(() => 3)).toBe(true);
  expect(await budget.spend(() => 2)).toBe(false);
  await clock.advance(3_600_000);
  expect(await budget.spend(() => 2)).toBe(true);
});

test('a large one may lose a tenth of the nodes it had, even if all are asked for at once', async () => {
  const budget = createDeletionBudget({ clock: createVirtualClock(), logger });
  let nodes = 1000;
  const all = Array.from({ length: 1000 }, async () => {
    if (await budget.spend(() => nodes)) nodes--;
  });
  await Promise.all(all);
  expect(nodes).toBe(900);
});

test('a restart gives no new allowance', async () => {
  const clock = createVirtualClock();
  const store = createStore();
  expect(await createDeletionBudget({ clock, logger, store }).spend(() => 5)).toBe(true);
  await clock.advance(3_599_000);
  expect(await createDeletionBudget({ clock, logger, store }).spend(() => 4)).toBe(false);
  await clock.advance(1_000);
  expect(await createDeletionBudget({ clock, logger, store }).spend(() => 4)).toBe(true);
  expect(store.saved.deletedAtMs).toEqual([clock.now()]);
});

test('nothing is deleted while the record cannot be kept', async () => {
  const failure = new VdoError({ code: 'KubeUnreachable', message: 'down', remedy: 'Wait.' });
  const budget = createDeletionBudget({ clock: createVirtualClock(), logger, store: createStore(failure) });
  await expect(budget.spend(() => 100)).rejects.toMatchObject({ code: 'KubeUnreachable' });
});

test.each([
  ['a role without ConfigMaps, as the Go program has it,', 'KubeForbidden'],
  ['a cluster without the namespace', 'KubeNotFound'],
] as const)('%s leaves the limit in memory', async (_, code) => {
  const failure = new VdoError({ code, message: 'no', remedy: 'Grant it.' });
  const budget = createDeletionBudget({ clock: createVirtualClock(), logger, store: createStore(failure) });
  expect([await budget.spend(() => 10), await budget.spend(() => 9)]).toEqual([true, false]);
});

test('a clock that was set back does not hold nodes for ever', async () => {
  const clock = createVirtualClock();
  const store = createStore();
  store.saved = { deletedAtMs: [clock.now() + 1e9] };
  const budget = createDeletionBudget({ clock, logger, store });
  expect(await budget.spend(() => 5)).toBe(false);
  await clock.advance(3_600_000);
  expect(await budget.spend(() => 5)).toBe(true);
});
