import { violationsOf } from '@vdo/acts/act-log';
import type { Attempt } from '@vdo/acts/attempt';
import { deleteDisk, unregisterDisk } from '@vdo/acts/disks/delete-disk';
import { deleteSnapshot } from '@vdo/acts/disks/delete-snapshot';
import { detachDisks } from '@vdo/acts/disks/detach-disks';
import type { Ground } from '@vdo/acts/disks/ownership';
import { removeShareAccess } from '@vdo/acts/disks/remove-share-access';
import { foundAmong } from '@vdo/acts/found-among';
import { createCacheProof } from '@vdo/acts/proven-cache';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { csiNodes, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import type { CnsMutationOptions } from '@vdo/vsphere/cns/cns-types';
import { type DestructiveCalls, destructive } from '@vdo/vsphere/destructive/destructive-calls';
import { moref } from '@vdo/vsphere/wire/moref';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createActsWorld, persistentVolume } from './acts-world.ts';

let world: Awaited<ReturnType<typeof createActsWorld>>;
let sent: string[];
/** How long a login takes before the call is sent. */
let loginMs: number;
beforeEach(async () => {
  world = await createActsWorld();
  sent = [];
  loginMs = 0;
});
afterEach(async () => {
  expect(violationsOf(world.log.records())).toEqual([]);
  await world.close();
});

const send = async <R>(what: string, { fence }: CnsMutationOptions, result: R): Promise<R> => {
  await world.clock.advance(loginMs);
  fence.assertHeld();
  sent.push(what);
  return result;
};
const calls: DestructiveCalls = {
  deleteVolume: (id, options) => send(`delete ${id}`, options, true),
  unregister: (id, options) => send(`unregister ${id}`, options, true),
  detach: (items, options) =>
    send(
      `detach ${items.map(({ volumeId }) => volumeId)}`,
      options,
      items.map(() => ({ ok: true, value: undefined }) as const),
    ),
  deleteSnapshot: ({ snapshotId }, options) => send(`delete snapshot ${snapshotId}`, options, true),
  relocate: (id, { datastore, storagePolicyId = 'none' }, options) =>
    send(`move ${id} to ${datastore.value} with policy ${storagePolicyId}`, options, undefined),
  removeAccess: (id, _, options) => send(`remove access to ${id}`, options, undefined),
  deleteTagCategory: (id, options) => send(`delete category ${id}`, options, true),
};
const vcenter = { [destructive]: calls };
const owner = { clusterId: 'us', isOnlyVCenter: true };

const evidenceFor = async (
  attempt: Attempt,
  options: { readonly handle?: string; readonly clusterIds?: readonly string[] } = {},
) => {
  const { handle = 'h', clusterIds = ['us'] } = options;
  const seen = await attempt.read(persistentVolumes, { name: 'pv' });
  if (seen.kind === 'absent') throw new Error('no pv');
  const proving = world.proof.current(attempt);
  await world.clock.advance(2_000);
  const ground: Ground = {
    kind: 'object',
    what: 'PersistentVolume pv',
    uid: seen.uid,
    policy: (seen.object as PersistentVolume).spec.persistentVolumeReclaimPolicy,
  };
  return {
    vcenter: await attempt.ask('vCenter', async () => ({ instanceUuid: 'vc' })),
    volume: await attempt.ask('the volume in CNS', async () => ({ name: 'v', containerClusterIds: clusterIds })),
    holders: [(await proving).byIndex('handle', handle)] as const,
    ground: { seen, ground },
  };
};

describe('a disk', () => {
  beforeEach(async () => {
    await world.api.create(persistentVolumes, persistentVolume('pv', 'h'));
    await world.clock.advance(1_000);
  });

  test('that a volume alone has is deleted or unregistered, and the record names what was seen', async () => {
    const attempt = world.begin('h');
    const evidence = await evidenceFor(attempt);
    expect(await deleteDisk(attempt, { vcenter, volumeId: 'h', evidence, owner })).toBe(true);
    expect(await unregisterDisk(attempt, { vcenter, volumeId: 'h', evidence, owner })).toBe(true);
    expect(sent).toEqual(['delete h', 'unregister h']);
    expect(world.log.records()[0]?.evidence.map(({ what }) => what)).toEqual([
      'vCenter',
      'the volume in CNS',
      'persistentvolumes by handle h',
      'persistentvolumes pv',
      'persistentvolumes pv',
    ]);
  });

  test('that two volumes have stays', async () => {
    await world.api.create(persistentVolumes, persistentVolume('other', 'h'));
    const attempt = world.begin('h');
    const evidence = await evidenceFor(attempt);
    await expect(deleteDisk(attempt, { vcenter, volumeId: 'h', evidence, owner })).rejects.toMatchObject({
      code: 'ActRefused',
      message: 'will not delete disk h: PersistentVolume other uses it, too',
    });
    expect(sent).toEqual([]);
  });

  test.each<[string, Parameters<typeof evidenceFor>[1], string]>([
    ['that another cluster is named for stays', { clusterIds: ['them'] }, 'ActRefused'],
    ['of whose handle nobody asked stays', { handle: 'other' }, 'EvidenceMissing'],
  ])('%s', async (_, options, code) => {
    const attempt = world.begin('h');
    const evidence = await evidenceFor(attempt, options);
    await expect(deleteDisk(attempt, { vcenter, volumeId: 'h', evidence, owner })).rejects.toMatchObject({ code });
    expect(sent).toEqual([]);
  });

  test.each<[string, () => unknown, string]>([
    ['takes so long that the evidence is old', () => undefined, 'EvidenceMissing'],
    ['costs the Lease', () => world.loseLease(), 'LeaseLost'],
    [
      'sees another volume with the disk',
      () => world.api.create(persistentVolumes, persistentVolume('b', 'h')),
      'EvidenceMissing',
    ],
  ])('stays if a login %s', async (_, meanwhile, code) => {
    const attempt = world.begin('h');
    const evidence = await evidenceFor(attempt);
    loginMs = code === 'EvidenceMissing' ? 4_000 : 1_000;
    const deleting = deleteDisk(attempt, { vcenter, volumeId: 'h', evidence, owner });
    const outcome = expect(deleting).rejects.toMatchObject({ code });
    await meanwhile();
    await outcome;
    expect(sent).toEqual([]);
  });
});

test.each<[string, string, readonly string[], readonly string[]]>([
  ['of its content alone is deleted', 'snap', ['us'], ['delete snapshot s']],
  ['of a volume that another cluster uses stays', 'snap', ['them'], []],
  ['under another name than it was given stays', 'other', ['us'], []],
])('a snapshot %s', async (_, description, containerClusterIds, expected) => {
  await world.api.create(persistentVolumes, persistentVolume('pv', 's'));
  await world.clock.advance(1_000);
  const attempt = world.begin('s');
  // What holds it is a VolumeSnapshotContent; any object with a handle will do here.
  const { vcenter: about, holders, ground } = await evidenceFor(attempt, { handle: 's' });
  const evidence = {
    vcenter: about,
    volume: await attempt.ask('the volume in CNS', async () => ({ containerClusterIds })),
    snapshot: await attempt.ask('the snapshot in CNS', async () => ({ description })),
    holders: holders[0],
    ground: { ...ground, ground: { ...ground.ground, madeAs: 'snap' } },
  };
  const source = { volumeId: 'h', snapshotId: 's' };
  const deleting = deleteSnapshot(attempt, { vcenter, source, evidence, owner });
  if (expected.length > 0) expect(await deleting).toBe(true);
  else await expect(deleting).rejects.toMatchObject({ code: 'ActRefused' });
  expect(sent).toEqual(expected);
});

interface Other {
  readonly on?: string;
  readonly node?: string;
  readonly attached?: boolean;
  readonly leaves?: boolean;
}

describe('a disk that is to be detached', () => {
  const [here, there] = ['42120000-0000-4000-8000-000000000001', '42120000-0000-4000-8000-000000000002'];
  const vm = moref('VirtualMachine', 'vm-1');
  const nodeIdAnnotation = 'csi.alpha.kubernetes.io/node-id';

  /** One attachment that leaves, and others; all are in a cache that was proven current. */
  const setUp = async (others: readonly Other[], asked = 'h') => {
    const objects: VolumeAttachment[] = [{ on: here, leaves: true }, ...others].map(
      ({ on, node = 'n', attached = false, leaves = false }: Other, index) => ({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: {
          name: `va${index}`,
          uid: `uid-${index}`,
          resourceVersion: '1',
          ...(on === undefined ? {} : { annotations: { [nodeIdAnnotation]: on } }),
          ...(leaves ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
        },
        spec: { attacher: 'csi.vsphere.vmware.com', nodeName: node, source: { persistentVolumeName: 'pv' } },
        status: { attached },
      }),
    );
    const attempt = world.begin('h');
    const informer = {
      get: () => undefined,
      byIndex: (): readonly VolumeAttachment[] => objects,
      version: () => '9',
      reached: async () => {},
      doubt: () => {},
    };
    const client = { list: async () => ({ metadata: { resourceVersion: '9' }, items: [] }) };
    const proof = createCacheProof({ client, clock: world.clock, informer, resource: volumeAttachments });
    const attachments = [(await proof.current(attempt)).byIndex('handle', asked)] as const;
    return { objects, disk: { attempt, volumeId: 'h', nodeId: here, vm, attachments } };
  };
  const lookUp = async (attempt: Attempt, ref: typeof vm | undefined = vm) => ({
    lookedUp: await attempt.ask('the VM', async () => ref),
  });
  const registered = async (attempt: Attempt, nodeID: string) => {
    const spec = { drivers: [{ name: 'csi.vsphere.vmware.com', nodeID }] };
    await world.api.create(csiNodes, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'n' },
      spec,
    });
    const seen = await attempt.read(csiNodes, { name: 'n' });
    return { csiNodes: seen.kind === 'seen' ? [seen] : [] };
  };
  const swapped = '00001242-0000-0040-8000-000000000001';

  test.each<[string, readonly Other[], 'unseen' | 'seen' | 'another', string]>([
    ['goes if no other attachment has it', [], 'unseen', 'sent'],
    ['goes with another attachment that leaves', [{ on: here, leaves: true }], 'unseen', 'sent'],
    ['goes if the other one has not begun', [{}], 'unseen', 'sent'],
    ['goes if another node has it too, and the VM is the one of this', [{ on: there }], 'seen', 'sent'],
    [
      'stays if another node has it too, and nobody looked which VM is which',
      [{ on: there }],
      'unseen',
      'EvidenceMissing',
    ],
    ['stays if the VM is another by now', [{ on: there }], 'another', 'EvidenceMissing'],
    ['stays if another attachment has it on this VM', [{ on: here }], 'seen', 'ActRefused'],
    ['stays if that one writes the id in another order', [{ on: swapped }], 'seen', 'ActRefused'],
    ['stays if one is attached that does not say where', [{ node: 'other', attached: true }], 'seen', 'ActRefused'],
  ])('%s', async (_, others, observe, expected) => {
    const { disk } = await setUp(others);
    const seen = { seen: vm, another: moref('VirtualMachine', 'vm-2'), unseen: undefined }[observe];
    const lookedUp = seen ? await lookUp(disk.attempt, seen) : {};
    const [outcome] = await detachDisks(vcenter, [{ ...disk, ...lookedUp }]);
    if (expected === 'sent') expect(outcome).toEqual({ ok: true, value: undefined });
    else expect(outcome).toMatchObject({ ok: false, error: { code: expected } });
    expect(sent).toEqual(expected === 'sent' ? ['detach h'] : []);
  });

  test.each<[string, Other, readonly string[]]>([
    ['goes from the VM whose place another took, although the node has its name', { on: here }, ['detach h']],
    ['stays if it is said to be attached there, whoever has the name now', { on: here, attached: true }, []],
  ])('%s', async (_, other, expected) => {
    const { disk } = await setUp([other]);
    const { attempt } = disk;
    await detachDisks(vcenter, [{ ...disk, ...(await registered(attempt, there)), ...(await lookUp(attempt)) }]);
    expect(sent).toEqual(expected);
  });

  test('stays if nobody asked for the attachments of this volume', async () => {
    const { disk } = await setUp([], 'another');
    expect(await detachDisks(vcenter, [disk])).toMatchObject([{ ok: false, error: { code: 'EvidenceMissing' } }]);
    expect(sent).toEqual([]);
  });

  test('goes although another of the same call must stay', async () => {
    const [wanted, unwanted] = [await setUp([{ on: here }]), await setUp([], 'g')];
    const outcomes = await detachDisks(vcenter, [wanted.disk, { ...unwanted.disk, volumeId: 'g' }]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true]);
    expect(sent).toEqual(['detach g']);
  });

  test.each<[string, number, (objects: VolumeAttachment[]) => unknown, string]>([
    ['takes so long that the evidence is old', 6_000, () => undefined, 'EvidenceMissing'],
    ['costs the Lease', 1_000, () => world.loseLease(), 'LeaseLost'],
    [
      'sees an attachment that wants it',
      1_000,
      (objects) => objects.push({ ...objects[0], metadata: { name: 'new', uid: 'new' } } as VolumeAttachment),
      'EvidenceMissing',
    ],
  ])('stays if a login %s', async (_, ms, meanwhile, code) => {
    const { disk, objects } = await setUp([]);
    loginMs = ms;
    const outcome = expect(detachDisks(vcenter, [disk])).rejects.toMatchObject({ code });
    meanwhile(objects);
    await outcome;
    expect(sent).toEqual([]);
  });

  test('may be known by one list that serves several attempts, and not by one from before', async () => {
    const early = world.begin('h');
    const all = await early.search(volumeAttachments, { index: 'name', value: 'any' }, () => true);
    const late = world.begin('h');
    const attachments = [foundAmong(all, { index: 'handle', value: 'h' }, () => true)] as const;
    const outcomes = await detachDisks(
      vcenter,
      [early, late].map((attempt) => ({ attempt, volumeId: 'h', nodeId: here, vm, attachments })),
    );
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false]);
  });
});

test('a share keeps its access if only another cluster has it', async () => {
  const attempt = world.begin('h');
  const attachments = [await attempt.search(volumeAttachments, { index: 'handle', value: 'h' }, () => true)] as const;
  const remove = async (containerClusterIds: readonly string[]) => {
    const volume = await attempt.ask('the share in CNS', async () => ({ containerClusterIds }));
    const share = { vcenter, volumeId: 'h', clusterId: 'us', permissions: [], volume, attachments, because: [] };
    return removeShareAccess(attempt, share);
  };
  await expect(remove(['them'])).rejects.toMatchObject({ code: 'ActRefused' });
  await remove(['us', 'them']);
  expect(sent).toEqual(['remove access to h']);
});
