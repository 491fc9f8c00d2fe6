import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { describe, expect, it } from 'vitest';
import type { SpecDraft } from './draft.ts';
import { withoutDefaults } from './without-defaults.ts';

const short: SpecDraft = {
  distribution: 'Native',
  vcenters: [{ server: 'vc1', credentialsSecret: 'vcenter', datacenters: ['/DC'] }],
  cpi: {},
  csi: { storageClasses: [{ name: 'vsphere', default: true, storagePolicy: 'gold' }] },
  topology: { region: 'r', zone: 'z' },
};
const meaning = (spec: unknown) =>
  parseVSphereDrivers({
    apiVersion: 'vdo.vmware.com/v1beta1',
    kind: 'VSphereDrivers',
    metadata: { name: 'cluster' },
    spec,
  }).spec;

describe('a spec without defaults', () => {
  it('is what was written before an API server filled it in', () => {
    const full = meaning(short) as SpecDraft;
    expect(Object.keys(full).length).toBeGreaterThan(Object.keys(short).length);
    expect(withoutDefaults(full)).toEqual(short);
    expect(meaning(withoutDefaults(full))).toEqual(full);
  });

  it('keeps what is no default, however deep', () => {
    const spec: SpecDraft = { ...short, updates: { policy: 'Manual' }, deletionPolicy: 'Orphan' };
    expect(withoutDefaults(meaning(spec) as SpecDraft)).toEqual(spec);
  });

  it('leaves alone what is not valid', () => {
    const broken = { cpi: {} } as SpecDraft;
    expect(withoutDefaults(broken)).toBe(broken);
  });
});
