import type { Current, Seen, Written } from '@vdo/acts/evidence';
import { namespaces, type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createActsWorld, persistentVolume } from './acts-world.ts';

let world: Awaited<ReturnType<typeof createActsWorld>>;
beforeEach(async () => {
  world = await createActsWorld();
});
afterEach(() => world.close());

const names = (current: Current<PersistentVolume> | undefined, handle: string) =>
  current
    ?.byIndex('handle', handle)
    .objects.map(({ metadata }) => metadata.name)
    .sort();

/** Something else changes, so that the version of the server is another, but nothing is to be told to the cache. */
let spaces = 0;
const changeElsewhere = () =>
  world.api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `other-${++spaces}` } });
const add = (name: string, handle: string) => world.api.create(persistentVolumes, persistentVolume(name, handle));
const known = ({ metadata }: PersistentVolume) => ({
  key: { name: metadata.name ?? '' },
  uid: metadata.uid ?? '',
  resourceVersion: metadata.resourceVersion ?? '',
});

describe('a cache proven by asking', () => {
  test('answers at once what it has', async () => {
    await add('pv', 'h');
    await world.clock.advance(1_000);
    world.requests();
    const { value } = await world.outcomeAfter(0, world.proof.current(world.begin()));
    expect(names(value, 'h')).toEqual(['pv']);
    expect(value?.get('pv').objects).toHaveLength(1);
    expect(value?.get('none').objects).toEqual([]);
    expect(world.requests()).toEqual(['LIST persistentvolumes']);
  });

  test('waits for a bookmark where only others changed', async () => {
    await add('pv', 'h');
    await world.clock.advance(10_000);
    await changeElsewhere();
    world.requests();
    const proving = world.proof.current(world.begin());
    expect((await world.outcomeAfter(1_000, proving)).value).toBeUndefined();
    const { value } = await world.outcomeAfter(1_000, proving);
    expect(names(value, 'h')).toEqual(['pv']);
    expect(world.requests()).toEqual(['LIST persistentvolumes', 'WATCH persistentvolumes']);
  });

  test('knows what a hung watch has not told, because the hung watch is renewed', async () => {
    await world.clock.advance(10_000);
    const release = world.watches.hang();
    await add('pv', 'h');
    await world.clock.advance(1_000);
    release();
    expect(world.informer.list()).toEqual([]);
    const { value } = await world.outcomeAfter(1_000, world.proof.current(world.begin()));
    expect(names(value, 'h')).toEqual(['pv']);
  });

  test('is not proven while watches hang: EvidenceMissing after five seconds', async () => {
    await world.clock.advance(10_000);
    world.watches.hang();
    await add('pv', 'h');
    const { error } = await world.outcomeAfter(5_000, world.proof.current(world.begin()));
    expect(error).toMatchObject({ code: 'EvidenceMissing', retry: 'backoff', effect: 'none' });
  });

  test('is proven once for all attempts that began before, and anew for a later one, in the same millisecond too', async () => {
    await world.clock.advance(10_000);
    world.requests();
    const early = [world.begin(), world.begin(), world.begin()];
    const proofs = early.map((attempt) => world.proof.current(attempt));
    const late = world.proof.current(world.begin());
    await world.clock.advance(0);
    expect(world.requests()).toEqual(['LIST persistentvolumes', 'LIST persistentvolumes']);
    const [first, ...rest] = await Promise.all(proofs);
    for (const proof of rest) expect(proof).toBe(first);
    expect(await late).not.toBe(first);
  });

  test('is not shared any more when its evidence would soon expire', async () => {
    await world.clock.advance(10_000);
    const [early, alsoEarly] = [world.begin(), world.begin()];
    const { value: first } = await world.outcomeAfter(2_600, world.proof.current(early));
    const { value: second } = await world.outcomeAfter(0, world.proof.current(alsoEarly));
    expect(first).toBeDefined();
    expect(second).not.toBe(first);
  });

  test('one that fails is tried anew by the next attempt', async () => {
    await world.clock.advance(10_000);
    const release = world.watches.hang();
    await add('pv', 'h');
    await world.outcomeAfter(6_000, world.proof.current(world.begin()));
    release();
    const { value } = await world.outcomeAfter(4_000, world.proof.current(world.begin()));
    expect(names(value, 'h')).toEqual(['pv']);
  });
});

describe('a cache proven by writing', () => {
  const written = async (name: string): Promise<Written<PersistentVolume>> => {
    const pv = await world.api.get(persistentVolumes, { name });
    const change = { metadata: { annotations: { 'test/attempt': String(world.clock.now()) } } };
    const seen = await world.begin().readByWriting(persistentVolumes, known(pv), change);
    if (seen.kind === 'absent') throw new Error(`${name} is not there`);
    return seen;
  };

  test('needs no other request, and knows all that came before', async () => {
    await add('pv', 'h');
    await world.clock.advance(10_000);
    await add('other', 'h');
    world.requests();
    const seen = await written('pv');
    const { value } = await world.outcomeAfter(0, world.proof.since(seen));
    expect(names(value, 'h')).toEqual(['other', 'pv']);
    expect(world.requests()).toEqual(['PATCH persistentvolumes/pv']);
  });

  test('renews a hung watch', async () => {
    await add('pv', 'h');
    await world.clock.advance(10_000);
    const release = world.watches.hang();
    await add('other', 'h');
    await world.clock.advance(1_000);
    release();
    const { value } = await world.outcomeAfter(400, world.proof.since(await written('pv')));
    expect(names(value, 'h')).toEqual(['other', 'pv']);
  });

  test('proves nothing when what was written went away', async () => {
    await add('pv', 'h');
    await world.clock.advance(10_000);
    const seen = await written('pv');
    await world.removeByHand('pv');
    const { error } = await world.outcomeAfter(0, world.proof.since(seen));
    expect(error).toMatchObject({ code: 'EvidenceMissing', message: expect.stringContaining('was deleted after') });
  });
});

describe('what a proven cache answered', () => {
  test('does not hold any more when the cache says something else', async () => {
    await world.clock.advance(10_000);
    const attempt = world.begin();
    const { value: current } = await world.outcomeAfter(0, world.proof.current(attempt));
    const none = current?.byIndex('handle', 'h');
    if (!none) throw new Error('not proven');
    attempt.assertGood(none);
    await add('pv', 'h');
    await world.clock.advance(0);
    expect(() => attempt.assertGood(none)).toThrow('persistentvolumes by handle h changed after it was read');
  });

  test('names what was seen', async () => {
    const pv = await add('pv', 'h');
    await world.clock.advance(10_000);
    const { value: current } = await world.outcomeAfter(0, world.proof.current(world.begin()));
    const { uid, resourceVersion } = pv.metadata;
    expect(current?.byIndex('handle', 'h').facts).toEqual([
      { what: 'persistentvolumes by handle h', resourceVersion: current?.resourceVersion, readMs: 10_010 },
      { what: 'persistentvolumes pv', uid, resourceVersion, readMs: 10_010 },
    ]);
  });
});

test('what was only read cannot prove a cache', () => {
  const since = world.proof.since;
  type Proves<T> = T extends Parameters<typeof since>[0] ? true : false;
  const read: Proves<Seen<PersistentVolume>> = false;
  const wrote: Proves<Written<PersistentVolume>> = true;
  expect([read, wrote]).toEqual([false, true]);
});
