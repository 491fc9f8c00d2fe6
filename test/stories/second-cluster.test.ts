import { configMaps, events, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import { describe, it } from 'vitest';
import { openBeside, openStory, promise, type Story } from './story-world.ts';
import { loseRequest } from './troubles.ts';

const minute = 60_000;

/** A cluster with a claim whose disk is on node 1, a beat after its etcd was backed up. */
const openOriginal = async () => {
  const original = await openStory();
  const program = original.start('replica-1');
  await original.claim('data');
  await original.bound('data');
  const volume = await original.volumeOf('data');
  const name = volume.metadata.name ?? '';
  await original.attachment('att', name, 1);
  await original.attached('att');
  await original.advance(6 * minute);
  const snapshot = original.backUp();
  // One beat later.
  await original.advance(5.5 * minute);
  return { original, program, snapshot, disk: volume.spec.csi?.volumeHandle ?? '' };
};

const warned = async ({ client, until }: Story) =>
  until('the cluster tells', async () =>
    (await client.list(events)).items.find(({ reason }) => reason === 'ClusterIdShared'),
  );

const emptyOut = async (story: Story) => {
  await story.deleteAttachment('att');
  await story.deleteClaim('data');
};

describe('a cluster restored from an etcd snapshot beside the living original', () => {
  it('takes neither disk nor attachment from it, nor does the original until the copy is gone', async () => {
    const { original, snapshot, disk } = await openOriginal();
    const copy = await openBeside(original, { snapshot });
    const second = copy.start('copy-1');
    await emptyOut(copy);
    await copy.advance(7 * minute);
    promise(original.diskExists(disk), 'the copy deleted a disk that the original uses');
    promise(original.holderOf(disk) === 'node-1', 'the copy detached a disk that a pod of the original uses');
    promise((await original.volumeOf('data')).status?.phase === 'Bound', 'the claim of the original is not bound');
    await warned(copy);
    await warned(original);
    await emptyOut(original);
    await original.advance(3 * minute);
    promise(original.diskExists(disk), 'the original deleted a disk while a copy might use it');
    second.kill();
    await original.advance(23 * minute);
    promise(!original.diskExists(disk), 'the disk of a deleted claim is still there after the copy was stopped');
  });

  it('takes nothing either if it was restored before the original has beaten again', async () => {
    const original = await openStory();
    original.start('replica-1');
    await original.claim('data');
    await original.bound('data');
    const disk = (await original.volumeOf('data')).spec.csi?.volumeHandle ?? '';
    await original.advance(6 * minute);
    const copy = await openBeside(original, { snapshot: original.backUp() });
    copy.start('copy-1');
    // It takes one beat of each until both know: what is not promised is the time before.
    await copy.advance(6 * minute);
    await copy.deleteClaim('data');
    await copy.advance(3 * minute);
    promise(original.diskExists(disk), 'the copy deleted a disk that the original uses');
  });
});

describe('a cluster restored from an etcd snapshot after the original died', () => {
  it('deletes again after a quarter of an hour, by itself', async () => {
    const { original, program, snapshot, disk } = await openOriginal();
    program.kill();
    const copy = await openBeside(original, { snapshot });
    copy.start('copy-1');
    await emptyOut(copy);
    await copy.advance(4 * minute);
    promise(original.diskExists(disk), 'the copy deleted a disk before it could know that the original is gone');
    await copy.advance(18 * minute);
    promise(!original.diskExists(disk), 'the disk of a deleted claim is still there');
  });
});

describe('a cluster rebuilt from manifests while the old one lives', () => {
  it('takes no disk from the old one', async () => {
    const old = await openStory();
    old.start('replica-1');
    await old.claim('data');
    await old.bound('data');
    const volume = await old.volumeOf('data');
    const { name = '', annotations = {} } = volume.metadata;
    const disk = volume.spec.csi?.volumeHandle ?? '';
    await old.advance(6 * minute);
    const rebuilt = await openBeside(old);
    // As Velero restores them: without status and uids, the claim bound to its volume by name.
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data' };
    await rebuilt.makeVolume({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name, annotations },
      spec: { ...volume.spec, claimRef },
    });
    await rebuilt.claim('data', 'vsphere', { volumeName: name });
    await rebuilt.bound('data');
    await rebuilt.deleteClaim('data');
    rebuilt.start('rebuilt-1');
    await rebuilt.advance(3 * minute);
    promise(old.diskExists(disk), 'the rebuilt cluster deleted a disk that the old one uses');
    promise((await rebuilt.findVolume(name)) !== undefined, 'the PersistentVolume went without its disk');
    await warned(rebuilt);
  });
});

describe('a cluster that is alone', () => {
  it('is not stopped by its own restarts and leaders', async () => {
    const story = await openStory();
    let program = story.start('replica-1');
    for (const round of [1, 2]) {
      await story.claim(`data-${round}`);
      await story.bound(`data-${round}`);
      await story.advance(6 * minute);
      if (round % 2) program.kill();
      else program.stop();
      program = story.start(`replica-${round + 1}`);
    }
    for (const round of [1, 2]) await story.deleteClaim(`data-${round}`);
    await story.until('all disks are gone', () => story.disks().length === 0);
    const reported = (await story.client.list(events)).items.some(({ reason }) => reason === 'ClusterIdShared');
    promise(!reported, 'a cluster that is alone was told that it is not');
    const report = await story.client.find(configMaps, { namespace: 'vmware-system-vdo', name: 'vsphere-csi-sync' });
    promise(report?.data?.['clusterHeartbeat'] !== undefined, 'nothing was noted');
    promise((await story.client.list(persistentVolumeClaims)).items.length === 0, 'claims are left');
    promise((await story.client.list(persistentVolumes)).items.length === 0, 'volumes are left');
  });
});

describe('a volume that a user kept is no sign of another cluster', () => {
  it('although CNS hid it for a while, and its PersistentVolume went meanwhile', async () => {
    const story = await openStory({ csi: { fullSyncIntervalMinutes: 2 } });
    const replica = story.start('replica-1');
    for (const name of ['data', 'other']) {
      await story.claim(name);
      await story.bound(name);
    }
    const { metadata, spec } = await story.volumeOf('data');
    await story.advance(3 * minute);
    const show = story.sim.control.hideVolumes(({ id }) => id === spec.csi?.volumeHandle);
    await story.advance(3 * minute);
    await story.patchVolume(metadata.name ?? '', { spec: { persistentVolumeReclaimPolicy: 'Retain' } });
    // vCenter goes on to show the volume with its PersistentVolume.
    replica.onVCenter(loseRequest(/^CnsUpdateVolumeMetadata$/));
    await story.deleteClaim('data');
    await story.deleteVolume(metadata.name ?? '');
    await story.advance(3 * minute);
    show();
    await story.advance(5 * minute);
    const reported = (await story.client.list(events)).items.find(({ reason }) => reason === 'ClusterIdShared');
    promise(reported === undefined, `nothing is deleted for 15 minutes: ${reported?.message}`);
    promise(story.diskExists(spec.csi?.volumeHandle ?? ''), 'a disk that its user kept is gone');
  });
});
