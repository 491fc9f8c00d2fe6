import { describe, expect, it } from 'vitest';
import type { Action, CheckOutcome } from './check.ts';
import { decideGates } from './decide-gates.ts';

const failed = (action: Action, id = 'node/vm-found', name = 'a'): CheckOutcome => ({
  id,
  result: action === 'None' ? 'Warn' : 'Fail',
  reason: `Because${action}`,
  message: 'it is so',
  remedy: 'Do that.',
  object: { kind: 'Node', name },
  action,
});

describe('decideGates', () => {
  const cases: readonly [
    string,
    readonly CheckOutcome[],
    boolean,
    { readonly blockers: number; readonly upgradeable: string; readonly degraded: string },
  ][] = [
    ['nothing fails', [failed('None')], false, { blockers: 0, upgradeable: 'True', degraded: 'False' }],
    ['an upgrade is blocked', [failed('BlockUpgrade')], true, { blockers: 0, upgradeable: 'False', degraded: 'False' }],
    [
      'an installation is blocked',
      [failed('BlockInstall')],
      false,
      { blockers: 1, upgradeable: 'False', degraded: 'False' },
    ],
    [
      'drivers run and what blocks installations fails: they are reconciled',
      [failed('BlockInstall')],
      true,
      { blockers: 0, upgradeable: 'False', degraded: 'False' },
    ],
    [
      'a running driver loses its vCenter',
      [failed('BlockUpgradeOrDegrade', 'vcenter/tcp')],
      true,
      { blockers: 0, upgradeable: 'False', degraded: 'True' },
    ],
    [
      'the vCenter is away before the installation',
      [failed('BlockUpgradeOrDegrade', 'vcenter/tcp')],
      false,
      { blockers: 1, upgradeable: 'Unknown', degraded: 'False' },
    ],
    [
      'the login is refused before the installation',
      [failed('BlockUpgradeOrDegrade', 'credentials/login')],
      false,
      { blockers: 1, upgradeable: 'Unknown', degraded: 'False' },
    ],
    ['something is broken', [failed('Degrade')], false, { blockers: 1, upgradeable: 'False', degraded: 'True' }],
  ];
  it.each(cases)('when %s', (_name, outcomes, installed, expected) => {
    const { installBlockers, upgradeable, degraded } = decideGates(outcomes, installed);
    expect({ blockers: installBlockers.length, upgradeable: upgradeable.status, degraded: degraded.status }).toEqual(
      expected,
    );
  });

  it('tells the worst with its remedy, and how many more there are', () => {
    const { degraded, upgradeable } = decideGates(
      [failed('BlockUpgrade'), failed('Degrade', 'storage/x', 'b'), failed('BlockUpgradeOrDegrade')],
      true,
    );
    expect(degraded).toEqual({
      status: 'True',
      reason: 'BecauseDegrade',
      message: 'storage/x, Node b (1 more: vdoctl status): it is so. Do that.',
    });
    expect(upgradeable.reason).toBe('BecauseDegrade');
  });

  it('tells of any check that fails, also of one that does not stop the drivers', () => {
    const { failing, degraded } = decideGates([failed('BlockUpgrade')], true);
    expect({ failing, degraded: degraded.status }).toMatchObject({
      failing: { status: 'True', reason: 'BecauseBlockUpgrade' },
      degraded: 'False',
    });
    expect(decideGates([], true).failing.status).toBe('False');
  });
});
