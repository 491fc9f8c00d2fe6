import { events, namespaces, type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';
import { volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import { describe, expect, it } from 'vitest';
import { openStory, type Story, withSnapshots } from './story-world.ts';

type Source = NonNullable<PersistentVolumeClaim['spec']['dataSourceRef']>;
const snapshotApi = 'snapshot.storage.k8s.io';

/** What a tenant asks for whose namespace is another one. */
const ask = (story: Story, name: string, dataSourceRef: Source, namespace = 'tenant') =>
  story.client.create(persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace },
    spec: {
      storageClassName: 'vsphere',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSourceRef,
    },
  });

/** What the claim was told, after there was time to make its volume. */
const reported = async (story: Story, name: string): Promise<string> => {
  const before = story.disks().length;
  await story.advance(120_000);
  expect(story.disks()).toHaveLength(before);
  const { items } = await story.client.list(events);
  return items
    .flatMap(({ involvedObject, message }) => (involvedObject?.name === name ? [message ?? ''] : []))
    .join('\n');
};

const victim = async () => {
  const story = await openStory();
  await story.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant' } });
  const snapshots = await withSnapshots(story);
  story.start();
  await story.claim('data');
  await story.bound('data');
  await snapshots.makeSnapshot('s', 'data');
  await story.until('it is ready', async () => (await snapshots.snapshot('s'))?.status?.readyToUse);
  const volumeName = (await story.client.get(persistentVolumeClaims, { namespace: 'default', name: 'data' })).spec
    .volumeName;
  return { story, volumeName: volumeName ?? '', contents: snapshots.contents };
};

describe("another tenant's disk and snapshot as a data source", () => {
  it('are refused where the claim names the other namespace', async () => {
    const { story } = await victim();
    await ask(story, 'clone', { kind: 'PersistentVolumeClaim', name: 'data', namespace: 'default' });
    expect(await reported(story, 'clone')).toContain('copies from another namespace are not supported');
    await ask(story, 'restored', { apiGroup: snapshotApi, kind: 'VolumeSnapshot', name: 's', namespace: 'default' });
    expect(await reported(story, 'restored')).toContain('copies from another namespace are not supported');
  });

  it('are refused where a claim says that it has the volume, and the volume says otherwise', async () => {
    const { story, volumeName } = await victim();
    const forged = await story.client.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'mine', namespace: 'tenant' },
      spec: {
        storageClassName: 'vsphere',
        volumeName,
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      },
    });
    const body = { status: { phase: 'Bound' } };
    const key = { namespace: 'tenant', name: forged.metadata.name ?? '' };
    await story.client.patch(persistentVolumeClaims, key, { type: 'merge', body }, { subresource: 'status' });
    await ask(story, 'clone', { kind: 'PersistentVolumeClaim', name: 'mine' });
    expect(await reported(story, 'clone')).toContain(`PersistentVolume ${volumeName}, which belongs to another`);
  });

  it('are refused where a snapshot says that it has the content, and the content says otherwise', async () => {
    const { story, contents } = await victim();
    const [content] = await contents();
    const name = content?.metadata.name ?? '';
    const before = await story.client.get(volumeSnapshotContents, { name });
    await story.client.create(volumeSnapshots, {
      apiVersion: `${snapshotApi}/v1`,
      kind: 'VolumeSnapshot',
      metadata: { name: 'mine', namespace: 'tenant' },
      spec: { source: { volumeSnapshotContentName: name } },
    });
    const status = { readyToUse: true, boundVolumeSnapshotContentName: name };
    const forge = () =>
      story.client.patch(
        volumeSnapshots,
        { namespace: 'tenant', name: 'mine' },
        { type: 'merge', body: { status } },
        { subresource: 'status' },
      );
    await forge();
    await ask(story, 'restored', { apiGroup: snapshotApi, kind: 'VolumeSnapshot', name: 'mine' });
    // The snapshot controller sets it right, the tenant writes it again.
    for (let round = 0; round < 20; round++) {
      await forge();
      await story.advance(1_000);
    }
    expect(await reported(story, 'restored')).toContain(`VolumeSnapshotContent ${name}, which belongs to another`);
    expect((await story.client.get(volumeSnapshotContents, { name })).spec).toEqual(before.spec);
  });
});
