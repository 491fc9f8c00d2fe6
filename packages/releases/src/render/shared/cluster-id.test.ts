import type { KeptClusterIds } from '@vdo/config/kept-cluster-ids';
import { describe, expect, it } from 'vitest';
import type { Distribution } from '../../matrix.ts';
import { clusterIdFor } from './cluster-id.ts';

describe('clusterIdFor', () => {
  const cases: readonly [string, Distribution, string | undefined, KeptClusterIds, string | undefined][] = [
    ['a new cluster: the driver makes one', 'Native', undefined, {}, undefined],
    ['a new cluster with a name', 'Native', 'mine', {}, 'mine'],
    ['a driver that knows its own', 'Native', undefined, { native: 'a' }, undefined],
    ['a driver that knows its own, named in the spec', 'Upstream', 'a', { upstream: 'a' }, undefined],
    ['native after upstream', 'Native', undefined, { upstream: 'b' }, 'b'],
    ['upstream after native', 'Upstream', undefined, { native: 'a' }, 'a'],
    ['upstream after native, named in the spec', 'Upstream', 'a', { native: 'a' }, 'a'],
    ['an upstream driver that was given one by hand', 'Upstream', undefined, { given: { upstream: 'c' } }, 'c'],
    ['native after an upstream driver that was given one', 'Native', undefined, { given: { upstream: 'c' } }, 'c'],
    ['what native was given once', 'Native', undefined, { given: { native: 'd', upstream: 'c' } }, 'd'],
    [
      'what was made counts more than what was given',
      'Native',
      undefined,
      { upstream: 'b', given: { native: 'b' } },
      'b',
    ],
    ['a name in the spec that stays', 'Native', 'd', { given: { native: 'd' } }, 'd'],
    ['there and back again', 'Upstream', undefined, { native: 'a', upstream: 'b' }, undefined],
  ];
  it.each(cases)('%s', (_name, distribution, wanted, kept, expected) => {
    expect(clusterIdFor(distribution, { wanted, kept })).toBe(expected);
  });

  it('shows where an ID from a configuration is, so that the spec can be set back to it', () => {
    const change = () => clusterIdFor('Upstream', { wanted: 'new', kept: { given: { native: 'old' } } });
    expect(change).toThrow(/registered under old, which is set in the configuration of the driver/);
  });

  it('never lets the volumes of a cluster get another ID', () => {
    const change = () => clusterIdFor('Native', { wanted: 'new', kept: { upstream: 'old' } });
    expect(change).toThrow(
      expect.objectContaining({ code: 'ConfigInvalid', remedy: 'Set spec.csi.clusterId to old, or remove it.' }),
    );
  });
});
