import type { PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import type { Volume } from '../../volumes/volume.ts';
import { type OrphanFacts, whyKeepSnapshot, whyKeepVolume } from './decide-orphan-deletion.ts';
import { assertNotShrunk } from './guarded-sync.ts';
import { entitiesOf, entityChanges, withShown } from './volume-entities.ts';

const dayMs = 86_400_000;
const volume = { id: 'v', server: 'vc', name: 'pvc-v', clusterIds: ['mine'] } as unknown as Volume;

describe('an orphan', () => {
  const old: OrphanFacts = {
    volume,
    clusterId: 'mine',
    hasPersistentVolume: false,
    snapshots: 0,
    disk: { createdAtMs: 0, consumers: [] },
    nowMs: 8 * dayMs,
  };
  it('that is old, unused and ours may go', () => expect(whyKeepVolume(old)).toBeUndefined());
  it.each<[string, Partial<OrphanFacts>, RegExp]>([
    ['that does not exist', { volume: undefined }, /no vCenter has it/],
    ['that has a PersistentVolume', { hasPersistentVolume: true }, /PersistentVolume has it/],
    [
      'of another cluster',
      { volume: { ...volume, clusterIds: ['theirs'] } },
      /cluster theirs, but this is cluster mine/,
    ],
    ['of two clusters', { volume: { ...volume, clusterIds: ['mine', 'theirs'] } }, /mine, theirs/],
    ['of no cluster', { volume: { ...volume, clusterIds: [] } }, /no cluster/],
    ['with snapshots', { snapshots: 2 }, /2 snapshots/],
    ['whose disk is hidden', { disk: undefined }, /does not report/],
    ['that is attached', { disk: { createdAtMs: 0, consumers: ['vm-7'] } }, /attached to vm-7/],
    ['that is young', { nowMs: 7 * dayMs - 1 }, /6 days old/],
  ])('%s stays', (_name, facts, why) => expect(whyKeepVolume({ ...old, ...facts })).toMatch(why));

  const snapshot = { volume, clusterId: 'mine', hasContent: false, createdAtMs: 0, nowMs: 8 * dayMs };
  it('that is an old snapshot may go', () => expect(whyKeepSnapshot(snapshot)).toBeUndefined());
  it.each([
    ['that Kubernetes knows', { hasContent: true }, /VolumeSnapshotContent has it/],
    ['that does not exist', { createdAtMs: undefined }, /no vCenter has it/],
    ['of a foreign volume', { volume: { ...volume, clusterIds: ['theirs'] } }, /theirs/],
    ['that is young', { nowMs: dayMs }, /1 days old/],
  ])('that is a snapshot %s stays', (_name, facts, why) =>
    expect(whyKeepSnapshot({ ...snapshot, ...facts })).toMatch(why),
  );
});

describe('the number of PersistentVolumes', () => {
  it.each([
    [undefined, 0],
    [0, 0],
    [100, 90],
    [3, 4],
    [3, 2],
    [2, 1],
  ])('may go from %s to %s', (before, now) => expect(() => assertNotShrunk(before, now, 'x')).not.toThrow());
  it.each([
    [100, 89],
    [3, 1],
    [1, 0],
  ])('must not go from %s to %s unseen', (before, now) =>
    expect(() => assertNotShrunk(before, now, 'patch x')).toThrow(`${now} PersistentVolumes`),
  );
});

describe('what vCenter is told', () => {
  const object = { metadata: { name: 'pv', labels: { a: '1' } } } as unknown as PersistentVolume;
  const claim = { metadata: { name: 'data', namespace: 'default' } } as PersistentVolumeClaim;
  const wanted = entitiesOf(object, claim, [{ name: 'web', namespace: 'default' }]);
  it('is nothing if it is shown already, in whatever order', () =>
    expect(entityChanges(wanted, [...wanted].reverse())).toEqual([]));
  it('is everything at first', () => expect(entityChanges(wanted, [])).toEqual(wanted));
  it('is what changed', () =>
    expect(entityChanges(wanted, [{ ...wanted[0], labels: {} } as never, ...wanted.slice(1)])).toEqual([wanted[0]]));
  it('is not what is gone, if the cluster is not believed', () =>
    expect(entityChanges(withShown(wanted.slice(0, 2), wanted), wanted)).toEqual([]));
  it('is what is gone', () =>
    expect(entityChanges(wanted.slice(0, 2), wanted)).toEqual([
      { kind: 'POD', name: 'web', namespace: 'default', remove: true },
    ]));
});
