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

  it('shows a warning before what could not run because of another problem, and names that problem', () => {
    const depending = (id: CheckOutcome['id'], remedy: string, name: string): CheckOutcome => ({
      ...outcome('Unknown', 'None', name, id),
      reason: 'DependsOnFailure',
      remedy,
    });
    const summary = summarize(
      [
        tally('credentials/login', [outcome('Fail', 'Degrade', 'secret', 'credentials/login')]),
        tally('credentials/lockout-risk', [outcome('Warn', 'None', 'secret', 'credentials/lockout-risk')]),
        tally('vcenter/answers', [outcome('Pass', 'None', 'vc', 'vcenter/answers')]),
        tally(
          'node/vm-found',
          Array.from({ length: 60 }, (_, index) =>
            depending('node/vm-found', 'See vcenter/answers and credentials/login.', `node-${index}`),
          ),
        ),
        tally('node/addresses', [depending('node/addresses', 'See node/vm-found.', 'node-1')]),
      ],
      '2026-08-20T12:00:00Z',
    );
    expect(summary.failing?.slice(0, 2).map(({ id }) => id)).toEqual(['credentials/login', 'credentials/lockout-risk']);
    expect(new Set(summary.failing?.slice(2).map(({ remedy }) => remedy))).toEqual(new Set(['See credentials/login.']));
  });

  it('names at most 50, and counts the rest', () => {
    const many = Array.from({ length: 5000 }, (_, index) => outcome('Fail', 'Degrade', `node-${index}`));
    const summary = summarize([tally('node/vm-found', many)], '2026-08-20T12:00:00Z');
    expect(summary.fail).toBe(5000);
    expect(summary.failing).toHaveLength(50);
    expect(() => vsphereDriversStatus.parse({ checks: summary })).not.toThrow();
  });
});
