import { describe, expect, test } from 'vitest';
import { type ActRecord, createActLog, violationsOf } from './act-log.ts';

const record = (change: Partial<ActRecord> = {}): ActRecord => ({
  attempt: 'a',
  act: 'delete disk',
  subject: 'd',
  attemptBeganMs: 10_000,
  sentMs: 12_000,
  evidence: [{ what: 'persistentvolumes pv', uid: 'u', resourceVersion: '7', readMs: 10_500 }],
  ...change,
});

test('the log keeps the latest and tells each', () => {
  const reported: string[] = [];
  const log = createActLog({ limit: 2, onAct: ({ subject }) => reported.push(subject) });
  for (const subject of ['a', 'b', 'c']) log.record(record({ subject }));
  expect(log.records().map(({ subject }) => subject)).toEqual(['b', 'c']);
  expect(reported).toEqual(['a', 'b', 'c']);
});

describe('violations', () => {
  const fact = (readMs: number) => [{ what: 'it', readMs }];
  test.each<[string, Partial<ActRecord>, readonly string[]]>([
    ['none: read when the attempt began, sent five seconds later', { evidence: fact(10_000), sentMs: 15_000 }, []],
    ['none: read when it was sent', { evidence: fact(12_000) }, []],
    ['read before the attempt', { evidence: fact(9_999) }, ['it was read 1 ms before the attempt began']],
    ['too old', { evidence: fact(10_000), sentMs: 15_001 }, ['it was read 5001 ms before']],
    ['read after it was sent', { evidence: fact(12_001) }, ['it was read 1 ms after']],
    ['nothing read', { evidence: [] }, ['no evidence']],
    [
      'one of two',
      { evidence: [...fact(11_000), ...fact(1_000)], sentMs: 11_500 },
      ['it was read 9000 ms before the attempt began', 'it was read 10500 ms before'],
    ],
  ])('%s', (_, change, problems) => {
    const one = record(change);
    expect(violationsOf([record(), one])).toEqual(
      problems.map((problem) => `delete disk d at ${one.sentMs} ms: ${problem}`),
    );
  });
});
