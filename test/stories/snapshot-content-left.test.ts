import { describe, it } from 'vitest';
import { openStory, promise, withSnapshots } from './story-world.ts';

describe('9: a VolumeSnapshotContent', () => {
  it('goes with its snapshot, although it was made within three seconds of watch lag', async () => {
    const story = await openStory();
    const { makeSnapshot, snapshot, deleteSnapshot, contents, snapshotController } = await withSnapshots(story);
    story.start();
    await story.claim('data');
    await story.bound('data');
    await makeSnapshot('s', 'data');
    snapshotController.lagWatches(3_000, /volumesnapshotcontents/);
    await story.until('its content is made', async () => (await contents()).length > 0);
    await deleteSnapshot('s');
    await story.until('the snapshot is gone', async () => (await snapshot('s')) === undefined);
    await story.advance(120_000);
    const left = (await contents()).length;
    promise(left === 0, 'a VolumeSnapshotContent is left without its VolumeSnapshot');
  });
});
