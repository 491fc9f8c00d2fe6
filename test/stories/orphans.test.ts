import { httpResponse } from '@vdo/base/http';
import { configMaps } from '@vdo/kube/types/core';
import type { VolumeStore } from '@vdo/vsphere-sim/cns/volume-store';
import { describe, it } from 'vitest';
import { openStory, promise, type Story } from './story-world.ts';
import { striking } from './troubles.ts';

const report = { namespace: 'vmware-system-vdo', name: 'vsphere-csi-sync' };
const id = '11111111-2222-4333-8444-555555555555';

/** An old disk of this cluster that no PersistentVolume has, and that is reported. */
const withOrphan = async (story: Story) => {
  const replica = story.start();
  await story.claim('data');
  await story.bound('data');
  const [disk] = story.disks();
  if (!disk?.metadata) throw new Error('vCenter has the disk of the claim');
  const createTime = new Date(story.clock.now() - 8 * 86_400_000);
  const metadata = { ...disk.metadata, entityMetadata: [] };
  (story.sim.volumes as VolumeStore).put({ ...disk, id, name: 'pvc-lost', metadata, createTime });
  await story.until('it is reported', async () => {
    await story.advance(60_000);
    return (await story.client.find(configMaps, report))?.data?.['orphans']?.includes(id);
  });
  return replica;
};
const ask = async (story: Story): Promise<string> => {
  const body = { data: { delete: id, deleted: null } };
  await story.client.patch(configMaps, report, { type: 'merge', body });
  return story.until('an answer', async () => (await story.client.find(configMaps, report))?.data?.['deleted']);
};

describe('an orphan that an administrator asks to delete', () => {
  it('stays when a PersistentVolume has it that the hung watch has not told of', async () => {
    const story = await openStory({ csi: { fullSyncIntervalMinutes: 5 } });
    const replica = await withOrphan(story);
    replica.hangWatches(/persistentvolumes$/);
    await story.makeVolume({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'rescued' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: id },
      },
    });
    const answer = await ask(story);
    promise(story.diskExists(id), `the disk of PersistentVolume rescued is gone: ${answer}`);
  });

  it('goes when nobody has it', async () => {
    const story = await openStory({ csi: { fullSyncIntervalMinutes: 5 } });
    await withOrphan(story);
    const answer = await ask(story);
    promise(!story.diskExists(id), `the orphan is still there: ${answer}`);
  });
});

describe('the note of a volume that was handed over', () => {
  // Else a user who keeps the disk and removes claim and PersistentVolume is told of an orphan for ever.
  it('goes soon after its removal failed, although another volume is awaited for minutes', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    const slow = { kind: 'task-latency', ms: 600_000 } as const;
    story.sim.control.addFault({ method: 'CnsCreateVolume', times: 1, effect: slow });
    await story.claim('slow');
    await story.until('the task is noted', async () => (await story.intents())[0]?.spec.task);
    first.kill();
    await story.deleteClaim('slow');
    const second = story.start('replica-2');
    const unavailable = async () => httpResponse(503, '{}', { 'content-type': 'application/json' });
    second.onKube(striking(/^DELETE .*\/volumeintents\//, 1, unavailable));
    await story.advance(30_000);
    await story.claim('data');
    await story.bound('data');
    await story.advance(30_000);
    const left = (await story.intents()).length;
    promise(left === 1, `${left} notes, one of which is of the volume that is awaited`);
  });
});
