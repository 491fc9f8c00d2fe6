import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { describe, expect, it } from 'vitest';
import { createVolumeTally } from './volume-facts.ts';

const volume = (id: string, change: Partial<CnsVolume> = {}): CnsVolume => ({
  id,
  name: `pvc-${id}`,
  type: 'BLOCK',
  datastoreUrl: 'ds:///vmfs/volumes/one/',
  capacityMb: 1024n,
  healthStatus: 'green',
  storagePolicyId: undefined,
  containerClusterIds: ['c'],
  ...change,
});
const known = {
  handles: new Map([
    ['a', 'pv-a'],
    ['file:f', 'pv-f'],
    ['[one] migrated.vmdk', 'pv-m'],
  ]),
  inTree: [{ name: 'old', path: '[one] kubevols/old.vmdk' }],
};
const factsOf = (volumes: readonly CnsVolume[], of: typeof known | undefined = known) => {
  const tally = createVolumeTally(of);
  for (const one of volumes) tally.add(one);
  return tally.facts();
};

describe('what is kept of the volumes', () => {
  it('is their number, if all are healthy and known by handle or path', () => {
    const paths = ['[one] kubevols/old.vmdk', '[one] migrated.vmdk'];
    const found = [
      volume('a'),
      volume('file:f', { type: 'FILE' }),
      ...paths.map((diskPath, at) => volume(`p${at}`, { diskPath })),
    ];
    expect(factsOf(found)).toEqual({ total: 4, unhealthy: [], orphans: { count: 0, capacityMb: 0n, first: [] } });
  });

  it('is each that is not healthy', () => {
    const { unhealthy } = factsOf([
      volume('a', { healthStatus: 'red' }),
      volume('file:f', { type: 'FILE', healthStatus: 'yellow' }),
    ]);
    expect(unhealthy).toMatchObject([
      { id: 'a', handle: 'a', status: 'red' },
      { handle: 'file:f', status: 'yellow' },
    ]);
  });

  it('is of many orphans their sum and ten names', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => volume(`s${at}`));
    const { orphans, total } = factsOf(many);
    expect({ total, count: orphans?.count, mb: orphans?.capacityMb, named: orphans?.first.length }).toEqual({
      total: 20_000,
      count: 20_000,
      mb: 20_480_000n,
      named: 10,
    });
  });

  it('leaves out orphans that are just becoming PersistentVolumes', () => {
    const tally = createVolumeTally(known);
    for (const id of ['a', 's1', 's2']) tally.add(volume(id));
    expect(tally.facts(new Set(['pvc-s1'])).orphans).toEqual({
      count: 1,
      capacityMb: 1024n,
      first: [{ id: 's2', name: 'pvc-s2' }],
    });
  });

  it('says nothing of orphans where the PersistentVolumes are not known', () => {
    const tally = createVolumeTally(undefined);
    tally.add(volume('s'));
    expect(tally.facts()).toEqual({ total: 1, unhealthy: [] });
  });
});
