import type { Evidence } from '@vdo/acts/evidence';
import { persistentVolumes } from '@vdo/kube/types/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createActsWorld, persistentVolume } from './acts-world.ts';

let world: Awaited<ReturnType<typeof createActsWorld>>;
beforeEach(async () => {
  world = await createActsWorld();
});
afterEach(() => world.close());

const add = (name = 'pv') => world.api.create(persistentVolumes, persistentVolume(name, `handle-of-${name}`));

describe('an attempt reads', () => {
  test('what is there', async () => {
    const pv = await add();
    await world.clock.advance(1_000);
    const seen = await world.begin().read(persistentVolumes, { name: 'pv' });
    const { uid, resourceVersion } = pv.metadata;
    expect(seen).toMatchObject({ kind: 'seen', uid, resourceVersion, readMs: 1_010, object: { spec: pv.spec } });
    expect(seen.facts).toEqual([{ what: 'persistentvolumes pv', uid, resourceVersion, readMs: 1_010 }]);
  });

  test('that something is not there', async () => {
    const absent = await world.begin().read(persistentVolumes, { name: 'pv' });
    expect(absent).toMatchObject({ kind: 'absent', facts: [{ what: 'no persistentvolumes pv', readMs: 10 }] });
  });

  test('by writing, if the object is the one that was known', async () => {
    const { metadata } = await add();
    const [uid, resourceVersion] = [metadata.uid ?? '', metadata.resourceVersion ?? ''];
    const known = { key: { name: 'pv' }, uid, resourceVersion };
    const change = { metadata: { labels: { a: 'b' } } };
    const written = await world.begin().readByWriting(persistentVolumes, known, change);
    expect(written).toMatchObject({ kind: 'seen', uid, object: { metadata: { labels: { a: 'b' } } } });
    await expect(world.begin().readByWriting(persistentVolumes, known, change)).rejects.toMatchObject({
      code: 'KubeConflict',
    });
    const now = { ...known, resourceVersion: written.kind === 'seen' ? written.resourceVersion : '' };
    await expect(world.begin().readByWriting(persistentVolumes, now, change)).rejects.toMatchObject({
      code: 'EvidenceMissing',
      message: expect.stringContaining('changed nothing'),
    });
    await world.removeByHand('pv');
    expect(await world.begin().readByWriting(persistentVolumes, now, change)).toMatchObject({ kind: 'absent' });
  });

  test('and writes nothing without its Lease', async () => {
    const { metadata } = await add();
    world.loseLease();
    const known = { key: { name: 'pv' }, uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '' };
    const writing = world.begin().readByWriting(persistentVolumes, known, { metadata: { labels: { a: 'b' } } });
    await expect(writing).rejects.toMatchObject({ code: 'LeaseLost' });
    expect((await world.api.get(persistentVolumes, { name: 'pv' })).metadata.labels).toBeUndefined();
  });

  test('what others say, as of when they were asked', async () => {
    const answer = world.begin().ask('the disk in vCenter', async () => {
      await world.clock.advance(3_000);
      return 'attached';
    });
    expect(await answer).toMatchObject({ value: 'attached', readMs: 10, facts: [{ what: 'the disk in vCenter' }] });
  });
});

describe('evidence is good', () => {
  const read = async (attempt = world.begin()) => {
    await add();
    return { attempt, seen: await attempt.read(persistentVolumes, { name: 'pv' }) };
  };

  test('for five seconds', async () => {
    const { attempt, seen } = await read();
    await world.clock.advance(5_000);
    attempt.assertGood(seen);
    await world.clock.advance(1);
    expect(() => attempt.assertGood(seen)).toThrow('cannot destroy it: persistentvolumes pv was read 5.0 s ago');
  });

  test('as long as no other cluster has the id of this one', async () => {
    const { attempt, seen } = await read();
    attempt.assertGood(seen);
    world.shareClusterId();
    expect(() => attempt.assertGood(seen)).toThrow('another cluster has the id');
  });

  test('as long as the Lease is held', async () => {
    const { attempt, seen } = await read();
    world.loseLease();
    expect(() => attempt.assertGood(seen)).toThrow('the Lease is lost');
    expect(() => attempt.assertGood()).toThrow('the Lease is lost');
  });

  test('for the attempt that read it and earlier ones, not for a later one, even of the same millisecond', async () => {
    const earlier = world.begin();
    const { attempt, seen } = await read();
    const later = world.begin();
    earlier.assertGood(seen);
    attempt.assertGood(seen);
    expect(later.beganMs).toBe(seen.readMs);
    expect(() => later.assertGood(seen)).toThrow('was read before the attempt began');
  });

  test('only as it was made: a copy, a change or an object of that shape is none', async () => {
    const { attempt, seen } = await read();
    const forged = { readMs: seen.readMs, facts: seen.facts } as unknown as Evidence;
    for (const no of [{ ...seen }, { ...seen, readMs: seen.readMs + 1 }, forged])
      expect(() => attempt.assertGood(no)).toThrow('was not read in an attempt');
    expect(() => Object.assign(seen, { readMs: 1 })).toThrow();
  });
});
