import { violationsOf } from '@vdo/acts/act-log';
import type { Attempt } from '@vdo/acts/attempt';
import { type MoveEvidence, moveDisk } from '@vdo/acts/disks/move-disk';
import { persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { type DestructiveCalls, destructive } from '@vdo/vsphere/destructive/destructive-calls';
import { moref } from '@vdo/vsphere/wire/moref';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActsWorld } from './acts-world.ts';

let world: Awaited<ReturnType<typeof createActsWorld>>;
let sent: string[];
beforeEach(async () => {
  world = await createActsWorld();
  sent = [];
});
afterEach(async () => {
  expect(violationsOf(world.log.records())).toEqual([]);
  await world.close();
});

const calls = {
  relocate: async (id, { datastore, storagePolicyId }, { fence }) => {
    fence.assertHeld();
    sent.push(`${id} to ${datastore.value} with ${storagePolicyId ?? 'no policy'}`);
  },
} as Partial<DestructiveCalls> as DestructiveCalls;
const vcenter = { [destructive]: calls };
const volume = {
  id: 'h',
  type: 'BLOCK' as const,
  datastoreUrl: 'ds:///old/',
  containerClusterIds: ['us'] as readonly string[],
  storagePolicyId: 'gold' as string | undefined,
};
const target = { url: 'ds:///new/', accessible: true, maintenance: false };

interface World {
  readonly volume: typeof volume | undefined;
  readonly snapshots: readonly string[];
  readonly disk: { readonly consumers: readonly string[] } | undefined;
  readonly target: typeof target;
  /** Whether VolumeAttachments and PersistentVolumes of others are found. */
  readonly isAttached: boolean;
}

const evidenceFor = async (attempt: Attempt, given: Partial<World> = {}): Promise<MoveEvidence> => {
  const now: World = { volume, snapshots: [], disk: { consumers: [] }, target, isAttached: false, ...given };
  const question = { index: 'handle', value: 'h' };
  return {
    volume: await attempt.ask('volume', async () => now.volume),
    snapshots: await attempt.ask('snapshots', async () => now.snapshots),
    disk: await attempt.ask('disk', async () => now.disk),
    holders: await attempt.search(persistentVolumes, question, () => false),
    attachments: await attempt.search(volumeAttachments, question, () => now.isAttached),
    target: await attempt.ask('datastore', async () => now.target),
  };
};

const move = async (given: Partial<World> = {}, waitMs = 0): Promise<void> => {
  const attempt = world.begin('h');
  const evidence = await evidenceFor(attempt, given);
  await world.clock.advance(waitMs);
  const datastore = moref('Datastore', 'new');
  await moveDisk(attempt, { vcenter, volumeId: 'h', clusterId: 'us', datastore, evidence });
};

describe('a disk', () => {
  it('that nothing uses is moved with its storage policy', async () => {
    await move();
    expect(sent).toEqual(['h to new with gold']);
  });

  it.each<[string, Partial<World>, string]>([
    ['that is not listed', { volume: undefined }, 'EvidenceMissing'],
    ['of another cluster', { volume: { ...volume, containerClusterIds: ['us', 'them'] } }, 'ActRefused'],
    ['of no cluster', { volume: { ...volume, containerClusterIds: [] } }, 'ActRefused'],
    ['with snapshots', { snapshots: ['s'] }, 'ActRefused'],
    ['on a VM', { disk: { consumers: ['vm-1'] } }, 'ActRefused'],
    ['of which the users are unknown', { disk: undefined }, 'ActRefused'],
    ['that is there already', { target: { ...target, url: volume.datastoreUrl } }, 'ActRefused'],
    ['with a datastore in maintenance', { target: { ...target, maintenance: true } }, 'ActRefused'],
  ])('%s stays', async (_name, given, code) => {
    await expect(move(given)).rejects.toMatchObject({ code });
    expect(sent).toEqual([]);
  });

  it('stays if the evidence is too old when the call is sent', async () => {
    await expect(move({}, 10_000)).rejects.toMatchObject({ code: 'EvidenceMissing' });
    expect(sent).toEqual([]);
  });
});
