import { sleep } from '@vdo/base/clock';
import { describe, it } from 'vitest';
import { openStory, promise, withSnapshots } from './story-world.ts';
import { meanwhile } from './troubles.ts';

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

  it('leaves no snapshot, although its keeper believed that it had said that it takes one', async () => {
    const story = await openStory();
    const { makeSnapshot, deleteSnapshot, contents } = await withSnapshots(story);
    const replica = story.start();
    await story.claim('data');
    await story.bound('data');
    // It hears of its own mark, and then of nothing more: not that it has taken it off, because there was nothing to take.
    const findVolume = meanwhile(/^CnsQueryVolume$/, async () => {
      await sleep(story.clock, 2_000);
      replica.hangWatches(/volumesnapshotcontents/);
    });
    replica.onVCenter(findVolume);
    const show = story.sim.control.hideVolumes();
    await makeSnapshot('s', 'data');
    await story.until('it was tried', async () => (await contents())[0]?.status?.error);
    const slow = { kind: 'task-latency', ms: 60_000 } as const;
    story.sim.control.addFault({ method: 'CnsCreateSnapshots', times: 1, effect: slow });
    show();
    await story.until('it is being taken', () => story.sim.recorder.count('CnsCreateSnapshots') > 0);
    replica.kill();
    await deleteSnapshot('s');
    story.start('replica-2');
    await story.advance(300_000);
    promise(story.disks()[0]?.snapshots.length === 0, 'a snapshot is left that nobody knows');
    promise((await contents()).length === 0, 'a VolumeSnapshotContent is left');
  });
});
