import { volumeSnapshotContents } from '@vdo/kube/types/snapshots';
import { describe, it } from 'vitest';
import { openStory, promise, withSnapshots } from './story-world.ts';
import { nameOf } from './troubles.ts';

describe('3: a snapshot that is to be retained', () => {
  it('stays, although its content was to delete it when the deletion was first tried, and the watch hangs since', async () => {
    const story = await openStory();
    const { makeSnapshot, snapshot, deleteSnapshot, contents } = await withSnapshots(story);
    const replica = story.start();
    await story.claim('data');
    await story.bound('data');
    await makeSnapshot('s', 'data');
    await story.until('it is ready', async () => (await snapshot('s'))?.status?.readyToUse);
    let refused = 0;
    const heal = replica.onVCenter(async (request, next) => {
      if (nameOf(request) !== 'CnsDeleteSnapshots' && nameOf(request) !== 'CnsQuerySnapshots') return next(request);
      refused += 1;
      throw new Error('the network is down');
    });
    await deleteSnapshot('s');
    await story.until('a deletion failed', async () => refused > 0);
    replica.hangWatches(/volumesnapshotcontents/);
    const [content] = await contents();
    const body = { spec: { deletionPolicy: 'Retain' } };
    await story.client.patch(volumeSnapshotContents, { name: content?.metadata.name ?? '' }, { type: 'merge', body });
    heal();
    await story.advance(600_000);
    const left = story.disks().flatMap(({ snapshots }) => snapshots);
    promise(left.length === 1, 'a snapshot is gone, although its content says Retain');
  });
});
