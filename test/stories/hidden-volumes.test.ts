import { describe, it } from 'vitest';
import { openStory, promise, withSnapshots } from './story-world.ts';

/** A disk is being made, which takes half a minute, and meanwhile CNS begins to show nothing, as when it builds its database anew. */
const hiddenCreation = async () => {
  const story = await openStory();
  const replica = story.start();
  await story.claim('other');
  await story.bound('other');
  story.sim.control.addFault({ method: 'CnsCreateVolume', times: 1, effect: { kind: 'task-latency', ms: 30_000 } });
  await story.claim('data');
  await story.until('the task is noted', async () => (await story.intents())[0]?.spec.task);
  return { story, replica, show: story.sim.control.hideVolumes() };
};

describe('a CNS that shows nothing for a while', () => {
  it('leaves no disk of a claim that was deleted meanwhile', async () => {
    const { story, show } = await hiddenCreation();
    await story.deleteClaim('data');
    await story.advance(300_000);
    show();
    await story.advance(900_000);
    promise(story.disks().length === 1, 'the disk of the deleted claim is left');
    promise((await story.intents()).length === 0, 'a note is left');
  });

  it('makes one disk for one claim, although a reply was lost and no task is known', async () => {
    const { story, replica, show } = await hiddenCreation();
    replica.kill();
    story.sim.control.restart(1_000);
    story.sim.control.forgetTasks();
    story.start('replica-2');
    await story.advance(500_000);
    show();
    await story.bound('data');
    promise(story.disks().length === 2, `${story.disks().length} disks for two claims`);
  });

  it('leaves no snapshot whose VolumeSnapshot was deleted while it was taken', async () => {
    const story = await openStory();
    story.start();
    const { makeSnapshot, deleteSnapshot, contents } = await withSnapshots(story);
    await story.claim('data');
    await story.bound('data');
    const slow = { kind: 'task-latency', ms: 60_000 } as const;
    story.sim.control.addFault({ method: 'CnsCreateSnapshots', times: 1, effect: slow });
    await makeSnapshot('s', 'data');
    await story.until('it is being taken', () => story.sim.recorder.count('CnsCreateSnapshots') > 0);
    await story.advance(2_000);
    await deleteSnapshot('s');
    story.sim.control.restart(1_000);
    story.sim.control.forgetTasks();
    const show = story.sim.control.hideVolumes();
    await story.advance(120_000);
    show();
    await story.advance(900_000);
    promise(story.disks()[0]?.snapshots.length === 0, 'a snapshot is left that nobody knows');
    promise((await contents()).length === 0 && (await story.intents()).length === 0, 'something is left');
  });

  it('makes no second disk for a bound claim that the new leader has not heard of', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    const second = story.start('replica-2');
    await story.claim('other');
    await story.bound('other');
    second.hangWatches(/persistentvolume/);
    // The first stream of claims is resumed before the second one is bound: what comes after is not told.
    await story.claim('data');
    await story.bound('data');
    first.kill();
    story.sim.control.hideVolumes();
    await story.advance(60_000);
    promise(story.disks().length === 2, `${story.disks().length} disks for two claims`);
  });

  it('is attached to once it shows the volume again', async () => {
    const story = await openStory();
    story.start();
    await story.claim('data');
    await story.bound('data');
    const show = story.sim.control.hideVolumes();
    const { metadata } = await story.volumeOf('data');
    await story.attachment('a', metadata.name ?? '', 1);
    await story.until('it failed once', async () => (await story.getAttachment('a'))?.status?.attachError);
    show();
    await story.attached('a');
  });
});
