import { describe, it } from 'vitest';
import { openStory, promise, type Story, withSnapshots } from './story-world.ts';
import { loseReply, loseRequest } from './troubles.ts';

// Twice as long as what the product takes for certain.
const twoMinutes = { kind: 'task-latency', ms: 120_000 } as const;

/** The first call of this method takes two minutes, and its reply is lost. */
const slowAndUnheard = (story: Story, replica: ReturnType<Story['start']>, method: string): void => {
  story.sim.control.addFault({ method, times: 1, effect: twoMinutes });
  replica.onVCenter(loseReply(new RegExp(`^${method}$`)));
};
const asked = (story: Story, method: string, times = 1) =>
  story.until(`${method} was called`, () => story.sim.recorder.count(method) >= times);
const snapshotsOf = (story: Story) => story.disks().flatMap(({ snapshots }) => snapshots);

const snapshotTaken = async () => {
  const story = await openStory();
  const snapshots = await withSnapshots(story);
  const replica = story.start();
  await story.claim('data');
  await story.bound('data');
  slowAndUnheard(story, replica, 'CnsCreateSnapshots');
  await snapshots.makeSnapshot('s', 'data');
  await story.until('it is ready', async () => (await snapshots.snapshot('s'))?.status?.readyToUse);
  await story.advance(60_000);
  return { story, ...snapshots };
};

describe('8: a lost reply and a task of two minutes', () => {
  it('leave one disk for one claim', async () => {
    const story = await openStory();
    const replica = story.start();
    slowAndUnheard(story, replica, 'CnsCreateVolume');
    await story.claim('data');
    await story.bound('data');
    await story.advance(120_000);
    promise(story.disks().length === 1, `${story.disks().length} disks for one claim`);
  });

  it('leave one disk for one claim, although the task could not be noted at once', async () => {
    const story = await openStory();
    const replica = story.start('replica-1');
    story.sim.control.addFault({ method: 'CnsCreateVolume', times: 1, effect: twoMinutes });
    await story.claim('data');
    await story.until('the intent is written', async () => (await story.intents()).length > 0);
    const heal = replica.onKube(loseRequest(/PATCH .*\/volumeintents\//));
    await story.advance(5_000);
    heal();
    await story.advance(60_000);
    replica.kill();
    story.start('replica-2');
    await story.bound('data');
    await story.advance(60_000);
    promise(story.disks().length === 1, `${story.disks().length} disks for one claim`);
  });

  it('leave one snapshot for one VolumeSnapshot', async () => {
    const { story } = await snapshotTaken();
    const taken = snapshotsOf(story).length;
    promise(taken === 1, `${taken} snapshots for one VolumeSnapshot`);
  });

  it('leave a claim that can be deleted after its VolumeSnapshot', async () => {
    const { story, deleteSnapshot, contents } = await snapshotTaken();
    await deleteSnapshot('s');
    await story.until('the content is gone', async () => (await contents()).length === 0);
    await story.deleteClaim('data');
    await story.advance(60_000);
    promise(story.disks().length === 0, 'the disk of a deleted claim is left for a snapshot that nobody knows');
  });

  it('leave no snapshot behind that a copy needed', async () => {
    const story = await openStory();
    const replica = story.start();
    await story.claim('data');
    await story.bound('data');
    slowAndUnheard(story, replica, 'CnsCreateSnapshots');
    await story.claim('copy', 'vsphere', { dataSource: { kind: 'PersistentVolumeClaim', name: 'data' } });
    await story.bound('copy');
    await story.advance(120_000);
    promise(snapshotsOf(story).length === 0, 'the temporary snapshot of a copy is left');
  });

  it('leave no disk on a VM whose VolumeAttachment is gone', async () => {
    const story = await openStory();
    const replica = story.start();
    await story.claim('data');
    await story.bound('data');
    const volume = await story.volumeOf('data');
    slowAndUnheard(story, replica, 'CnsAttachVolume');
    await story.attachment('a', volume.metadata.name ?? '', 1);
    await asked(story, 'CnsAttachVolume');
    await story.deleteAttachment('a');
    await story.until('the attachment is gone', async () => (await story.getAttachment('a')) === undefined);
    await story.advance(120_000);
    const holder = story.holderOf(volume.spec.csi?.volumeHandle ?? '');
    promise(holder === undefined, `the disk is on ${holder} without a VolumeAttachment`);
  });
});
