import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { describe, it } from 'vitest';
import { provisioned } from './attach-world.ts';
import { openStory, promise } from './story-world.ts';

describe('story 12: full sync runs', () => {
  it('although one of three PersistentVolumes went while no controller looked', async () => {
    const story = await openStory({ csi: { fullSyncIntervalMinutes: 1 } });
    const { client, sim } = story;
    await story.storageClass('keep', { reclaimPolicy: 'Retain' });
    let last = story.start('replica-1');
    for (const name of ['a', 'b', 'c']) await story.claim(name, 'keep');
    const { disk } = await provisioned(story, 'a');
    const { volume } = await provisioned(story, 'c');
    const key = { namespace: 'default', name: 'a' };
    const restart = async (identity: string, meanwhile: () => Promise<unknown>) => {
      last.stop();
      await story.advance(5_000);
      await meanwhile();
      last = story.start(identity);
    };
    // A label that is set while no controller runs gets to vCenter by a full sync alone.
    const label = (round: string) =>
      client.patch(persistentVolumeClaims, key, { type: 'merge', body: { metadata: { labels: { round } } } });
    const isListed = (round: string) =>
      sim.volumes
        .get(disk)
        ?.metadata?.entityMetadata.some(({ labels }) => labels.some(({ value }) => value === round)) || undefined;

    await restart('replica-2', () => label('one'));
    await story.until('a full sync has told of the label', () => isListed('one'));
    await story.advance(10_000);
    await restart('replica-3', async () => {
      await label('two');
      await story.deleteClaim('c');
      await story.until('it is released', async () => (await story.findVolume(volume))?.status?.phase === 'Released');
      await story.deleteVolume(volume);
      await story.patchVolume(volume, { metadata: { finalizers: null } }).catch(() => {});
    });
    await story.advance(3 * 60_000);
    promise(isListed('two') ?? false, 'one unseen deletion among three volumes has stopped full sync');
  });
});
