import { violationsOf } from '@vdo/acts/act-log';
import type { Attempt } from '@vdo/acts/attempt';
import { deleteDisk, unregisterDisk } from '@vdo/acts/disks/delete-disk';
import { deleteSnapshot } from '@vdo/acts/disks/delete-snapshot';
import { detachDisks } from '@vdo/acts/disks/detach-disks';
import type { Ground } from '@vdo/acts/disks/ownership';
import { removeShareAccess } from '@vdo/acts/disks/remove-share-access';
import { createCacheProof } from '@vdo/acts/proven-cache';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
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
  removeAccess: (id, _, options) => send(`remove access to ${id}`, options, undefined),
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
      message: 'will not delete disk h: PersistentVolume other has it too',
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

describe('an attachment', () => {
  const setUp = async (wanted: readonly string[]) => {
    const { clock, begin } = world;
    for (const [index, nodeName] of ['n', ...wanted].entries()) {
      const spec = { attacher: 'csi.vsphere.vmware.com', nodeName, source: { persistentVolumeName: 'pv' } };
      const metadata = { name: `va${index}`, finalizers: ['test/held'] };
      await world.api.create(volumeAttachments, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata,
        spec,
      });
    }
    await world.api.delete(volumeAttachments, { name: 'va0' });
    const attempt = begin('h');
    const attachment = await attempt.read(volumeAttachments, { name: 'va0' });
    const { items } = await world.api.list(volumeAttachments);
    const version =
      items
        .map(({ metadata }) => metadata.resourceVersion ?? '')
        .sort()
        .at(-1) ?? '';
    const informer = {
      get: () => undefined,
      byIndex: (): readonly VolumeAttachment[] => items,
      version: () => `${version}0`,
      reached: async () => {},
      doubt: () => {},
    };
    const proof = createCacheProof({
      client: { list: async () => ({ metadata: { resourceVersion: `${version}0` }, items: [] }) },
      clock,
      informer,
      resource: volumeAttachments,
    });
    const attachments = (await proof.current(attempt)).byIndex('volume', 'pv');
    const vm = await attempt.ask('the VM', async () => moref('VirtualMachine', 'vm-1'));
    return { attempt, volumeId: 'h', vm, attachment, attachments };
  };

  test('that is to go is detached', async () => {
    const disk = await setUp(['other-node']);
    expect(await detachDisks(vcenter, [disk])).toEqual([{ ok: true, value: undefined }]);
    expect(sent).toEqual(['detach h']);
  });

  test('stays if a newer one wants the volume on the same node', async () => {
    const disk = await setUp(['n']);
    await expect(detachDisks(vcenter, [disk])).rejects.toMatchObject({ code: 'ActRefused' });
    expect(sent).toEqual([]);
  });

  test('takes its share access with it, unless only another cluster has the share', async () => {
    const { attempt, attachments } = await setUp([]);
    const remove = async (containerClusterIds: readonly string[]) => {
      const volume = await attempt.ask('the share in CNS', async () => ({ containerClusterIds }));
      const share = {
        vcenter,
        volumeId: 'h',
        clusterId: 'us',
        permissions: [],
        volume,
        attachments: [attachments] as const,
        because: [],
      };
      return removeShareAccess(attempt, share);
    };
    await expect(remove(['them'])).rejects.toMatchObject({ code: 'ActRefused' });
    await remove(['us', 'them']);
    expect(sent).toEqual(['remove access to h']);
  });
});
