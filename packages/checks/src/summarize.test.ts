import { vsphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import { describe, expect, it } from 'vitest';
import type { Action, CheckOutcome, CheckResult } from './check.ts';
import { summarize } from './summarize.ts';
import { tally } from './tally.ts';

const outcome = (result: CheckResult, action: Action = 'None', name = 'a', id = 'node/vm-found'): CheckOutcome => ({
  id,
  result,
  reason: 'Because',
  message: 'message',
  remedy: 'remedy',
  object: { kind: 'Node', name },
  action,
});

describe('summarize', () => {
  it('counts all and names the worst first, without those that are fine', () => {
    const summary = summarize(
      [
        tally('node/vm-found', [
          outcome('Warn', 'None', 'w'),
          outcome('Pass'),
          outcome('Fail', 'BlockUpgrade', 'f1'),
          outcome('Skipped'),
        ]),
        tally('node/addresses', [outcome('Unknown', 'None', 'u'), outcome('Fail', 'Degrade', 'f2')]),
      ],
      '2026-08-20T12:00:00Z',
    );
    expect(summary).toMatchObject({ pass: 1, warn: 1, fail: 2, unknown: 1, skipped: 1 });
    expect(summary.failing?.map(({ object }) => object?.name)).toEqual(['f2', 'f1', 'u', 'w']);
    expect(() => vsphereDriversStatus.parse({ checks: summary })).not.toThrow();
  });

  it('names at most 50, and counts the rest', () => {
    const many = Array.from({ length: 5000 }, (_, index) => outcome('Fail', 'Degrade', `node-${index}`));
    const summary = summarize([tally('node/vm-found', many)], '2026-08-20T12:00:00Z');
    expect(summary.fail).toBe(5000);
    expect(summary.failing).toHaveLength(50);
    expect(() => vsphereDriversStatus.parse({ checks: summary })).not.toThrow();
  });
});
