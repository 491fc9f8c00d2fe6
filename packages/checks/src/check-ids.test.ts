import { describe, expect, it } from 'vitest';
import { allChecks } from './all-checks.ts';
import { checkGroups, groupOf } from './check.ts';
import { currentCheckId, findGroup } from './check-ids.ts';

describe('the ids of checks', () => {
  it.each([
    ['ST/free-space', 'storage/free-space'],
    ['nd/vm-found', 'node/vm-found'],
    ['storage/free-space', 'storage/free-space'],
    ['VCENTER/DNS', 'vcenter/dns'],
    ['DC/vm', 'DC/vm'],
    ['VCenterLoginRejected', 'VCenterLoginRejected'],
  ])('%s is %s today', (given, today) => expect(currentCheckId(given)).toBe(today));

  it('has a former name of two letters for every group', () => {
    const former = ['VC', 'CR', 'PR', 'ND', 'TP', 'ST', 'CS', 'VR', 'CL'];
    expect(former.map(findGroup)).toEqual(checkGroups);
    expect(findGroup('XX')).toBeUndefined();
  });

  it('gives every check a group that exists', () => {
    for (const check of allChecks) expect(checkGroups).toContain(groupOf(check));
  });
});
