import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { describe, expect, it } from 'vitest';
import { type CleanupFacts, keepRules, whyKeep } from './why-keep.ts';

const day = 86_400_000;
const volume = (containerClusterIds: readonly string[]): CnsVolume =>
  ({ id: '1', name: 'pvc-1', type: 'BLOCK', capacityMb: 1024n, containerClusterIds }) as unknown as CnsVolume;
const orphan: CleanupFacts = {
  volume: volume(['here']),
  clusterId: 'here',
  persistentVolume: undefined,
  snapshots: 0,
  disk: { createdAtMs: 0, consumers: [] },
  nowMs: 7 * day,
};

const cases: readonly (readonly [(typeof keepRules)[number], Partial<CleanupFacts>, string])[] = [
  ['not-found', { volume: undefined }, 'no vCenter'],
  ['has-persistent-volume', { persistentVolume: 'pv-1' }, 'pv-1'],
  ['other-cluster', { volume: volume(['there']) }, 'there; this cluster is here'],
  ['other-cluster', { volume: volume(['here', 'there']) }, 'here, there'],
  ['other-cluster', { volume: volume([]) }, 'no cluster'],
  [
    'used-elsewhere',
    { volume: { ...volume(['here']), entities: [{ kind: 'PERSISTENT_VOLUME', name: 'pv-9', clusterId: 'here' }] } },
    'persistent volume pv-9',
  ],
  ['has-snapshots', { snapshots: 2 }, '2 snapshots'],
  ['disk-unknown', { disk: undefined }, 'does not report'],
  ['attached', { disk: { createdAtMs: 0, consumers: ['vm-7'] } }, 'vm-7'],
  ['too-young', { nowMs: 7 * day - 1 }, '6 days'],
  ['too-young', { nowMs: -day }, '0 days'],
  ['too-young', { disk: { createdAtMs: Number.NaN, consumers: [] } }, 'days'],
];

describe('what volumes cleanup keeps', () => {
  it('lets an old orphan of this cluster go', () => {
    expect(whyKeep(orphan)).toBeUndefined();
  });

  it.each(cases)('%s: %o', (rule, change, words) => {
    expect(whyKeep({ ...orphan, ...change })).toEqual({ rule, reason: expect.stringContaining(words) });
  });

  it('has a case for every rule', () => {
    expect(new Set(cases.map(([rule]) => rule))).toEqual(new Set(keepRules));
  });
});
