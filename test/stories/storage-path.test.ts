import { offersFeature } from '@vdo/config/vcenter-features';
import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { simReleases } from '@vdo/sim-world/sim-release';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { describe, expect, it } from 'vitest';
import { openStory, withSnapshots } from './story-world.ts';

const mbOf = (gib: number) => BigInt(gib) * 1024n;

describe.each(simReleases)('on vCenter %s', (version) => {
  it('a claim gets a volume, which is attached, detached, grown, copied by snapshot and deleted', async () => {
    const story = await openStory({ model: { ...demoModel(), version } });
    const { client, sim } = story;
    const snapshots = offersFeature(version, 'snapshots') ? await withSnapshots(story) : undefined;
    story.start();
    await story.claim('data');
    await story.bound('data');
    const volume = await story.volumeOf('data');
    const id = volume.spec.csi?.volumeHandle ?? '';
    expect(story.disks().map((disk) => disk.id)).toEqual([id]);

    await story.attachment('a', volume.metadata.name ?? '', 1);
    await story.attached('a');
    expect(story.holderOf(id)).toBe('node-1');
    await story.deleteAttachment('a');
    await story.until('it is detached', () => story.holderOf(id) === undefined);

    const body = { spec: { resources: { requests: { storage: '3Gi' } } } };
    if (offersFeature(version, 'growth')) {
      await client.patch(persistentVolumeClaims, { namespace: 'default', name: 'data' }, { type: 'merge', body });
      await story.until('it has grown', () => sim.volumes.get(id)?.capacityMb === mbOf(3));
    }
    if (snapshots) {
      await snapshots.makeSnapshot('s', 'data');
      await story.until('it is ready', async () => (await snapshots.snapshot('s'))?.status?.readyToUse);
      expect(sim.volumes.get(id)?.snapshots).toHaveLength(1);
      const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };
      const resources = { requests: { storage: '3Gi' } };
      await story.claim('copy', undefined, { dataSource, resources });
      await story.bound('copy');
      expect(story.disks()).toHaveLength(2);
      await story.deleteClaim('copy');
      await snapshots.deleteSnapshot('s');
      await story.until('the snapshot is gone', () => sim.volumes.get(id)?.snapshots.length === 0);
    }
    await story.deleteClaim('data');
    await story.until('nothing is left', async () => {
      const isEmpty = story.disks().length === 0 && (await story.persistentVolumes()).length === 0;
      return isEmpty && (await story.intents()).length === 0;
    });
    expect(sim.recorder.calls().filter(({ method }) => method === 'refused')).toEqual([]);
  });
});
