import { describe, expect, it } from 'vitest';
import { mergeVCenters, splitServers, type VCenterUse } from './merge-vcenters.ts';

const use = (change: Partial<VCenterUse> = {}): VCenterUse => ({
  server: 'vc',
  thumbprints: [],
  insecure: false,
  datacenters: [],
  ...change,
});
const merge = (...uses: readonly VCenterUse[]) => mergeVCenters(uses, 'vcenter');

describe('entries of one vCenter', () => {
  it.each<[string, readonly VCenterUse[], object]>([
    ['are one, however the name is spelled', [use(), use({ server: 'VC' })], {}],
    [
      'have the datacenters of both',
      [use({ datacenters: ['a'] }), use({ datacenters: ['a', 'b'] })],
      { datacenters: ['a', 'b'] },
    ],
    ['have all datacenters if one has', [use({ datacenters: ['a'] }), use()], {}],
    [
      'are trusted by a fingerprint if one has it',
      [use({ insecure: true }), use({ thumbprints: ['AB'] })],
      { tls: { thumbprints: ['AB'] } },
    ],
    [
      'are trusted by both fingerprints',
      [use({ thumbprints: ['AB'] }), use({ thumbprints: ['ab', 'CD'] })],
      { tls: { thumbprints: ['AB', 'CD'] } },
    ],
    ['are not verified if neither says how', [use({ insecure: true }), use()], { tls: { insecure: true } }],
    ['keep a port of their own', [use(), use({ port: 8443 })], { port: 8443 }],
  ])('%s', (_what, uses, expected) => {
    expect(merge(...uses)).toEqual([{ server: 'vc', credentialsSecret: 'vcenter', ...expected }]);
  });

  it('of different servers stay apart', () => {
    expect(merge(use(), use({ server: 'other' })).map(({ server }) => server)).toEqual(['vc', 'other']);
  });
});

describe('accounts of the two drivers', () => {
  const account = (username: string, password = 'obviously-fake') => new Map([['vc', { username, password }]]);
  it.each([
    ['are one if they are the same', account('a'), account('A'), []],
    ['are two by name', account('a'), account('b'), ['vc']],
    ['are two by password', account('a'), account('a', 'other'), ['vc']],
    ['are one if only one is known', account('a'), new Map(), []],
  ])('%s', (_what, cpi, csi, expected) => {
    expect(splitServers(['vc'], { cpi, csi })).toEqual(expected);
  });
});
