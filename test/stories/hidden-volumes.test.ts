import { describe, it } from 'vitest';
import { openStory, promise, withSnapshots } from './story-world.ts';
import { loseRequest } from './troubles.ts';

const clusters = ['has none yet', 'has volumes'] as const;
type Cluster = (typeof clusters)[number];

const openCluster = async (cluster: Cluster) => {
  const story = await openStory();
  const replica = story.start();
  if (cluster === 'has volumes') {
    await story.claim('other');
    await story.bound('other');
  }
  const others = new Set(story.disks().map(({ id }) => id));
  const isOfData = ({ id }: { readonly id: string }) => !others.has(id);
  return { story, replica, isOfData, disksOfData: () => story.disks().filter(isOfData).length };
};

/** A disk is being made, which takes half a minute, and meanwhile CNS begins to show nothing, as when it builds its database anew. */
const hiddenCreation = async (cluster: Cluster, hidden: 'all' | 'of data' = 'all') => {
  const opened = await openCluster(cluster);
  const { story, isOfData } = opened;
  story.sim.control.addFault({ method: 'CnsCreateVolume', times: 1, effect: { kind: 'task-latency', ms: 30_000 } });
  await story.claim('data');
  await story.until('the task is noted', async () => (await story.intents())[0]?.spec.task);
  return { ...opened, show: story.sim.control.hideVolumes(hidden === 'all' ? undefined : isOfData) };
};

describe.each(clusters)('a CNS that shows nothing for a while, in a cluster that %s,', (cluster) => {
  it('leaves no disk of a claim that was deleted meanwhile', async () => {
    const { story, show, disksOfData } = await hiddenCreation(cluster);
    await story.deleteClaim('data');
    await story.advance(300_000);
    show();
    await story.advance(900_000);
    promise(disksOfData() === 0, 'the disk of the deleted claim is left');
    promise((await story.intents()).length === 0, 'a note is left');
  });

  it('makes one disk for one claim, although a reply was lost and no task is known', async () => {
    const { story, replica, show, disksOfData } = await hiddenCreation(cluster);
    replica.kill();
    story.sim.control.restart(1_000);
    story.sim.control.forgetTasks();
    story.start('replica-2');
    await story.advance(500_000);
    show();
    await story.bound('data');
    promise(disksOfData() === 1, `${disksOfData()} disks for one claim`);
  });

  it('makes one disk for one claim, although its PersistentVolume cannot be written', async () => {
    const { story, replica, disksOfData } = await openCluster(cluster);
    const repair = replica.onKube(loseRequest(/^POST .*\/persistentvolumes$/));
    await story.claim('data');
    await story.until('the disk is made', disksOfData);
    const show = story.sim.control.hideVolumes();
    await story.advance(200_000);
    repair();
    await story.advance(200_000);
    show();
    await story.bound('data');
    promise(disksOfData() === 1, `${disksOfData()} disks for one claim`);
  });
});

describe('a CNS that shows others and hides one volume for a while', () => {
  it('leaves no disk of a claim that was deleted meanwhile', async () => {
    const { story, show, disksOfData } = await hiddenCreation('has volumes', 'of data');
    await story.deleteClaim('data');
    await story.advance(1_500_000);
    show();
    await story.advance(900_000);
    promise(disksOfData() === 0, 'the disk of the deleted claim is left');
    promise((await story.intents()).length === 0, 'a note is left');
  });

  it('makes one disk for one claim, although a reply was lost and no task is known', async () => {
    const { story, replica, show, disksOfData } = await hiddenCreation('has volumes', 'of data');
    replica.kill();
    story.sim.control.restart(1_000);
    story.sim.control.forgetTasks();
    story.start('replica-2');
    await story.advance(1_500_000);
    show();
    await story.bound('data');
    promise(disksOfData() === 1, `${disksOfData()} disks for one claim`);
  });
});

describe('a vCenter that has no volume yet', () => {
  it('is believed at once, although nobody knows what became of the first request', async () => {
    const { story, replica } = await openCluster('has none yet');
    replica.onVCenter(loseRequest(/^CnsCreateVolume$/, 1));
    await story.claim('data');
    await story.advance(150_000);
    promise(story.disks().length === 1, 'the claim still waits');
  });
});

describe('a CNS that shows nothing for a while', () => {
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
