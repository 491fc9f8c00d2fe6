import { violationsOf } from '@vdo/acts/act-log';
import type { Attempt } from '@vdo/acts/attempt';
import type { Absent, Evidence, Seen } from '@vdo/acts/evidence';
import { deleteNode } from '@vdo/acts/objects/delete-node';
import { deletePersistentVolume } from '@vdo/acts/objects/delete-persistent-volume';
import { deleteSnapshotContent } from '@vdo/acts/objects/delete-snapshot-content';
import { markDetached } from '@vdo/acts/objects/mark-detached';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { configMaps, type Node, nodes, type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { ObjectKey, Resource } from '@vdo/kube/types/resource';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createActsWorld, persistentVolume } from './acts-world.ts';

let world: Awaited<ReturnType<typeof createActsWorld>>;
beforeEach(async () => {
  world = await createActsWorld();
});
afterEach(async () => {
  expect(violationsOf(world.log.records())).toEqual([]);
  await world.close();
});

const see = async <T extends KubeObject>(attempt: Attempt, resource: Resource<T>, key: ObjectKey): Promise<Seen<T>> => {
  const seen = await attempt.read(resource, key);
  if (seen.kind === 'absent') throw new Error(`${key.name} is not there`);
  return seen;
};
const diskIsGone = (attempt: Attempt): Promise<Evidence> => attempt.ask('the disk in vCenter', async () => 'gone');
const setUp = async (policy: 'Delete' | 'Retain' = 'Delete') => {
  await world.api.create(persistentVolumes, persistentVolume('pv', 'h', policy));
  const attempt = world.begin('pv');
  return { attempt, volume: await see(attempt, persistentVolumes, { name: 'pv' }), gone: await diskIsGone(attempt) };
};
const isBeingDeleted = async (): Promise<boolean> =>
  (await world.api.get(persistentVolumes, { name: 'pv' })).metadata.deletionTimestamp !== undefined;

describe('a PersistentVolume', () => {
  test('is deleted, and the record says on what evidence', async () => {
    const { attempt, volume, gone } = await setUp();
    await world.clock.advance(1_000);
    expect(await deletePersistentVolume(attempt, volume, [gone])).toBe(true);
    expect(await isBeingDeleted()).toBe(true);
    const { uid, resourceVersion } = volume;
    expect(world.log.records()).toEqual([
      {
        attempt: attempt.id,
        act: 'destroy',
        subject: 'pv',
        attemptBeganMs: 10,
        sentMs: 1_010,
        evidence: [
          { what: 'persistentvolumes pv', uid, resourceVersion, readMs: 10 },
          { what: 'the disk in vCenter', readMs: 10 },
        ],
      },
    ]);
  });

  test('stays if somebody changed it after it was read', async () => {
    const { attempt, volume, gone } = await setUp();
    const retain = { spec: { persistentVolumeReclaimPolicy: 'Retain' } };
    await world.api.patch(persistentVolumes, { name: 'pv' }, { type: 'merge', body: retain });
    await expect(deletePersistentVolume(attempt, volume, [gone])).rejects.toMatchObject({ code: 'EvidenceMissing' });
    expect(await isBeingDeleted()).toBe(false);
  });

  test('of another incarnation stays', async () => {
    const { attempt, volume, gone } = await setUp();
    await world.removeByHand('pv');
    expect(await deletePersistentVolume(attempt, volume, [gone])).toBe(false);
    await world.api.create(persistentVolumes, persistentVolume('pv', 'h'));
    await expect(deletePersistentVolume(attempt, volume, [gone])).rejects.toMatchObject({ code: 'EvidenceMissing' });
    expect(await isBeingDeleted()).toBe(false);
  });

  test.each<[string, (made: Awaited<ReturnType<typeof setUp>>) => Promise<unknown> | unknown, string]>([
    ['the evidence is old', () => world.clock.advance(5_001), 'EvidenceMissing'],
    ['the Lease is lost', () => world.loseLease(), 'LeaseLost'],
  ])('stays if %s, and nothing is sent', async (_, trouble, code) => {
    const made = await setUp();
    await trouble(made);
    world.requests();
    await expect(deletePersistentVolume(made.attempt, made.volume, [made.gone])).rejects.toMatchObject({ code });
    expect(world.requests()).toEqual([]);
    expect(world.log.records()).toEqual([]);
  });

  test('that is to be retained or is bound is refused', async () => {
    const { attempt, volume, gone } = await setUp('Retain');
    await expect(deletePersistentVolume(attempt, volume, [gone])).rejects.toMatchObject({
      code: 'ActRefused',
      message: 'will not delete PersistentVolume pv: its reclaim policy is Retain',
    });
    const status = { phase: 'Bound' };
    const spec = { persistentVolumeReclaimPolicy: 'Delete' };
    await world.api.patch(persistentVolumes, { name: 'pv' }, { type: 'merge', body: { spec } });
    await world.api.patch(
      persistentVolumes,
      { name: 'pv' },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
    const bound: Seen<PersistentVolume> = await see(attempt, persistentVolumes, { name: 'pv' });
    await expect(deletePersistentVolume(attempt, bound, [gone])).rejects.toThrow('it is bound to a claim');
  });
});

describe('a Node', () => {
  const create = async (
    ready: 'True' | 'False' | 'Unknown',
  ): Promise<{ attempt: Attempt; node: Seen<Node>; gone: Evidence }> => {
    await world.api.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: {} });
    const status = { conditions: [{ type: 'Ready', status: ready }] };
    await world.api.patch(nodes, { name: 'n' }, { type: 'merge', body: { status } }, { subresource: 'status' });
    const attempt = world.begin('n');
    return { attempt, node: await see(attempt, nodes, { name: 'n' }), gone: await diskIsGone(attempt) };
  };

  test.each(['False', 'Unknown'] as const)('whose readiness is %s is deleted', async (ready) => {
    const { attempt, node, gone } = await create(ready);
    expect(await deleteNode(attempt, node, [gone])).toBe(true);
    expect(await world.api.find(nodes, { name: 'n' })).toBeUndefined();
  });

  test('that is ready is refused', async () => {
    const { attempt, node, gone } = await create('True');
    await expect(deleteNode(attempt, node, [gone])).rejects.toMatchObject({ code: 'ActRefused' });
  });

  test('that became ready after it was read stays', async () => {
    const { attempt, node, gone } = await create('False');
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    await world.api.patch(nodes, { name: 'n' }, { type: 'merge', body: { status } }, { subresource: 'status' });
    await expect(deleteNode(attempt, node, [gone])).rejects.toMatchObject({ code: 'EvidenceMissing' });
    expect(await world.api.find(nodes, { name: 'n' })).toBeDefined();
  });
});

describe('a finalizer', () => {
  const map = (finalizers: readonly string[]) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: 'm', finalizers },
  });
  const key = { namespace: 'default', name: 'm' };

  test('is taken off alone', async () => {
    await world.api.create(configMaps, map(['test/a', 'test/b']));
    const attempt = world.begin('m');
    const left = await removeFinalizer(attempt, await see(attempt, configMaps, key), {
      finalizer: 'test/a',
      because: [],
    });
    expect(left?.object.metadata.finalizers).toEqual(['test/b']);
    // What is left was read by the write, and may be deleted in the same attempt.
    expect(() => attempt.assertGood(...(left ? [left] : []))).not.toThrow();
    expect(left?.resourceVersion).toBe((await world.api.get(configMaps, key)).metadata.resourceVersion);
  });

  test('lets the object go if it was the last', async () => {
    await world.api.create(configMaps, map(['test/a']));
    await world.api.delete(configMaps, key);
    const attempt = world.begin('m');
    const seen = await see(attempt, configMaps, key);
    expect(await removeFinalizer(attempt, seen, { finalizer: 'test/a', because: [] })).toBeUndefined();
    expect(await world.api.find(configMaps, key)).toBeUndefined();
  });

  test('stays if somebody changed the object, and nothing is sent if it is not there', async () => {
    await world.api.create(configMaps, map(['test/a']));
    const attempt = world.begin('m');
    const seen = await see(attempt, configMaps, key);
    expect(await removeFinalizer(attempt, seen, { finalizer: 'test/b', because: [] })).toBe(seen);
    await world.api.patch(configMaps, key, { type: 'merge', body: { data: { a: 'b' } } });
    const removal = removeFinalizer(attempt, seen, { finalizer: 'test/a', because: [] });
    await expect(removal).rejects.toMatchObject({ code: 'EvidenceMissing' });
    expect((await world.api.get(configMaps, key)).metadata.finalizers).toEqual(['test/a']);
  });
});

describe('a VolumeAttachment', () => {
  const finalizer = 'external-attacher/csi-vsphere-vmware-com';
  const create = async (others: readonly string[] = []) => {
    const spec = { attacher: 'csi.vsphere.vmware.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } };
    const object = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'va', finalizers: [finalizer, ...others] },
      spec,
    };
    await world.api.create(volumeAttachments, object);
    const body = { status: { attached: true, attachmentMetadata: { disk: '1' } } };
    await world.api.patch(volumeAttachments, { name: 'va' }, { type: 'merge', body }, { subresource: 'status' });
    await world.api.delete(volumeAttachments, { name: 'va' });
    const attempt = world.begin('va');
    const attachment = await see(attempt, volumeAttachments, { name: 'va' });
    return { attempt, attachment, because: [await diskIsGone(attempt)] as [Evidence] };
  };

  test('is let go with one write, so that nobody can die between two', async () => {
    const { attempt, attachment, because } = await create();
    await markDetached(attempt, attachment, { finalizer, because });
    expect(await world.api.find(volumeAttachments, { name: 'va' })).toBeUndefined();
    expect(world.log.records()).toHaveLength(1);
  });

  test('is called detached before it is let go, if others keep it', async () => {
    const { attempt, attachment, because } = await create(['example.com/other']);
    await markDetached(attempt, attachment, { finalizer, because });
    expect(await world.api.get(volumeAttachments, { name: 'va' })).toMatchObject({
      metadata: { finalizers: ['example.com/other'] },
      status: { attached: false },
    });
    expect(world.log.records()).toHaveLength(2);
  });

  test('stays attached if somebody changed it after it was read', async () => {
    const { attempt, attachment, because } = await create();
    const body = { metadata: { annotations: { a: 'b' } } };
    await world.api.patch(volumeAttachments, { name: 'va' }, { type: 'merge', body });
    await expect(markDetached(attempt, attachment, { finalizer, because })).rejects.toMatchObject({
      code: 'EvidenceMissing',
    });
    expect((await world.api.get(volumeAttachments, { name: 'va' })).status?.attached).toBe(true);
  });
});

test('a VolumeSnapshotContent that is to be retained is refused', async () => {
  const contents: Resource<KubeObject & { readonly spec: { readonly deletionPolicy: string } }> = {
    group: 'snapshot.storage.k8s.io',
    version: 'v1',
    plural: 'volumesnapshotcontents',
    kind: 'VolumeSnapshotContent',
    namespaced: false,
  };
  const attempt = world.begin('content');
  // Shown to the act as evidence of another object would be: it looks at the object before anything else.
  const { volume, gone } = await setUp();
  const content = { ...volume, resource: contents, object: { ...volume.object, spec: { deletionPolicy: 'Retain' } } };
  await expect(deleteSnapshotContent(attempt, content as never, [gone])).rejects.toMatchObject({ code: 'ActRefused' });
  const other = { ...content, object: { ...content.object, spec: { deletionPolicy: 'Delete' } } };
  await expect(deleteSnapshotContent(attempt, other as never, [gone])).rejects.toThrow('was not read in an attempt');
});

test('no act without evidence, and none on an attempt that was not begun', async () => {
  const { attempt, volume, gone } = await setUp();
  await expect(deletePersistentVolume({ ...attempt }, volume, [gone])).rejects.toThrow(
    'was not started by this program',
  );
  const absent: Absent = (await attempt.read(configMaps, { namespace: 'default', name: 'none' })) as Absent;
  attempt.assertGood(absent);
});
