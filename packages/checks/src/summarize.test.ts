import { vsphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import { describe, expect, it } from 'vitest';
import type { Action, CheckOutcome, CheckResult } from './check.ts';
import { decideGates, summarize, worstAction } from './summarize.ts';

const outcome = (result: CheckResult, action: Action = 'None', name = 'a', id = 'ND/vm-found'): CheckOutcome => ({
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
        outcome('Warn', 'None', 'w'),
        outcome('Pass'),
        outcome('Fail', 'BlockUpgrade', 'f1'),
        outcome('Skipped'),
        outcome('Unknown', 'None', 'u'),
        outcome('Fail', 'Degrade', 'f2'),
      ],
      '2026-08-20T12:00:00Z',
    );
    expect(summary).toMatchObject({ pass: 1, warn: 1, fail: 2, unknown: 1, skipped: 1 });
    expect(summary.failing?.map(({ object }) => object?.name)).toEqual(['f2', 'f1', 'u', 'w']);
    expect(() => vsphereDriversStatus.parse({ checks: summary })).not.toThrow();
  });

  it('names at most 50, and counts the rest', () => {
    const many = Array.from({ length: 5000 }, (_, index) => outcome('Fail', 'Degrade', `node-${index}`));
    const summary = summarize(many, '2026-08-20T12:00:00Z');
    expect(summary.fail).toBe(5000);
    expect(summary.failing).toHaveLength(50);
    expect(() => vsphereDriversStatus.parse({ checks: summary })).not.toThrow();
  });
});

describe('worstAction', () => {
  it('is the highest step of the ladder', () => {
    expect(worstAction([])).toBe('None');
    expect(worstAction([outcome('Fail', 'BlockUpgrade'), outcome('Fail', 'BlockInstall')])).toBe('BlockInstall');
  });
});

describe('decideGates', () => {
  const cases: readonly [string, readonly CheckOutcome[], boolean, ReturnType<typeof decideGates>][] = [
    ['nothing fails', [outcome('Warn')], false, { mayInstall: true, upgradeable: 'True', degraded: false }],
    [
      'an upgrade is blocked',
      [outcome('Fail', 'BlockUpgrade')],
      true,
      { mayInstall: true, upgradeable: 'False', degraded: false },
    ],
    [
      'an installation is blocked',
      [outcome('Fail', 'BlockInstall')],
      false,
      { mayInstall: false, upgradeable: 'False', degraded: false },
    ],
    [
      'a running driver loses its vCenter',
      [outcome('Fail', 'BlockUpgradeOrDegrade')],
      true,
      { mayInstall: false, upgradeable: 'False', degraded: true },
    ],
    [
      'the vCenter is away before the installation',
      [outcome('Fail', 'BlockUpgradeOrDegrade', 'vc', 'VC/tcp'), outcome('Unknown', 'None', 'vc', 'VC/answers')],
      false,
      { mayInstall: false, upgradeable: 'Unknown', degraded: false },
    ],
    [
      'something is broken',
      [outcome('Fail', 'Degrade')],
      true,
      { mayInstall: false, upgradeable: 'False', degraded: true },
    ],
  ];
  it.each(cases)('when %s', (_name, outcomes, installed, gates) => {
    expect(decideGates(outcomes, installed)).toEqual(gates);
  });
});
