import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../all-checks.ts';
import { excessPrivileges } from './excess-privileges.ts';
import { requiredPrivileges } from './required-privileges.ts';

const specOf = (csi: object | undefined) =>
  vsphereDriversSpec.parse({
    distribution: 'Native',
    vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }],
    cpi: {},
    ...(csi ? { csi } : {}),
  });
const namesOf = (csi: object | undefined) => requiredPrivileges(specOf(csi)).map(({ name }) => name);

describe('the needed privileges', () => {
  const storage = ['ReadOnly', 'CNS-SEARCH-AND-SPBM', 'CNS-VM', 'CNS-DATASTORE'];
  const cases: readonly [string, object | undefined, readonly string[]][] = [
    ['no storage', undefined, ['ReadOnly']],
    ['storage', {}, storage],
    ['file volumes', { fileVolumes: {} }, [...storage, 'CNS-HOST-CONFIG-STORAGE']],
  ];
  it.each(cases)('for %s', (_what, csi, names) => {
    expect(namesOf(csi)).toEqual(names);
  });

  it('are looked after by a check each', () => {
    const ids = allChecks.map(({ id }) => id);
    for (const { check } of requiredPrivileges(specOf({ fileVolumes: {} }))) expect(ids).toContain(check);
  });

  it('are never taken for too much', () => {
    const needed = requiredPrivileges(specOf({ fileVolumes: {} })).flatMap(({ privileges }) => privileges);
    expect(needed.filter((privilege) => excessPrivileges.includes(privilege))).toEqual([]);
  });
});
