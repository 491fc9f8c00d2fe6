import { afterAll, describe, expect, it } from 'vitest';
import { allFaults, edited, type FaultRow, tryFaults, watchable, writeFaultRow } from './fault-table.ts';

const rows: FaultRow[] = [];
afterAll(() => {
  const head = ['| faults | shown after | word | green after |', '|---|---:|---|---:|'];
  console.log([...head, ...rows.map(writeFaultRow)].join('\n'));
});

const pairs = allFaults.flatMap((first, index) => allFaults.slice(index + 1).map((second) => [first, second]));

describe('every fault alone and with every other', { timeout: 600_000 }, () => {
  it.each([...allFaults.map((name) => [name]), ...pairs].map((names) => [names.join(' + '), names] as const))(
    '%s',
    async (_name, names) => {
      const row = await tryFaults(names);
      rows.push(row);
      expect(row.healthyWhileFailing).toBe(false);
      expect(['Degraded', 'Unavailable', 'ActionRequired']).toContain(row.word);
      const isPrompt = names.every((name) => watchable.includes(name) || edited.includes(name));
      expect(row.greenAfter).toBeLessThanOrEqual(isPrompt ? 10 : 90);
    },
  );
});
