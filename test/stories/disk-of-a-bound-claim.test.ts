import { describe, it } from 'vitest';
import { openStory, promise, type Story } from './story-world.ts';
import { loseRequest, outage } from './troubles.ts';

const handleOf = async (story: Story, claim: string): Promise<string> =>
  (await story.volumeOf(claim)).spec.csi?.volumeHandle ?? '';

/** A claim that is bound while its intent could not be removed: the leader lost that one request. */
const boundWithIntentLeft = async (story: Story, leader: ReturnType<Story['start']>, storageClass = 'vsphere') => {
  leader.onKube(loseRequest(/DELETE .*\/volumeintents\//));
  await story.claim('data', storageClass);
  await story.bound('data');
  const disk = await handleOf(story, 'data');
  await story.advance(5_000);
  return disk;
};

describe('the disk of a Bound claim', () => {
  it('1: outlives a new leader whose watches hang', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    await story.advance(5_000);
    const second = story.start('replica-2');
    await story.advance(5_000);
    second.hangWatches();
    const disk = await boundWithIntentLeft(story, first);
    first.kill();
    // The Lease runs out, and the second one leads with what it saw before the claim was made.
    await story.advance(120_000);
    promise((await story.getClaim('data'))?.status?.phase === 'Bound', 'the claim is not bound');
    promise(story.diskExists(disk), 'the disk of the Bound claim data was deleted');
  });

  it('1: is acknowledged, although the first attempt to do so failed', async () => {
    const story = await openStory();
    const replica = story.start();
    replica.onKube(loseRequest(/DELETE .*\/volumeintents\//, 3));
    await story.claim('data');
    await story.bound('data');
    await story.advance(300_000);
    promise((await story.intents()).length === 0, 'the intent of a bound claim was left: its removal is not retried');
  });
});

it('2: a disk that was handed over and retained by its user outlives the next start', async () => {
  const story = await openStory();
  await story.storageClass('retain', { reclaimPolicy: 'Retain' });
  const first = story.start('replica-1');
  await story.advance(5_000);
  const disk = await boundWithIntentLeft(story, first, 'retain');
  const { name = '' } = (await story.volumeOf('data')).metadata;
  first.kill();
  // No controller runs. The user keeps the disk, and nothing else.
  await story.deleteClaim('data');
  await story.until('the claim is gone', async () => (await story.getClaim('data')) === undefined);
  await story.deleteVolume(name);
  await story.until('the volume is gone', async () => (await story.findVolume(name)) === undefined);
  story.start('replica-2');
  await story.advance(300_000);
  promise(story.diskExists(disk), 'the disk that its user retained was deleted at the next start');
});

describe('2: a disk that its user retained outlives a leader that takes its claim for one without a volume', () => {
  /** The second replica has heard of the claim, and of nothing that became of it; it is about to lead. */
  const keptUnheardOf = async (story: Story, storageClass = 'vsphere') => {
    const first = story.start('replica-1');
    await story.advance(5_000);
    const second = story.start('replica-2');
    await story.advance(5_000);
    const heal = first.onVCenter(outage());
    await story.claim('data', storageClass);
    await story.advance(5_000);
    second.hangWatches(/persistentvolumeclaims$/);
    heal();
    await story.advance(60_000);
    await story.bound('data');
    const disk = await handleOf(story, 'data');
    const { name = '' } = (await story.volumeOf('data')).metadata;
    await story.patchVolume(name, { spec: { persistentVolumeReclaimPolicy: 'Retain' } });
    await story.deleteClaim('data');
    await story.until('the claim is gone', async () => (await story.getClaim('data')) === undefined);
    await story.deleteVolume(name);
    await story.until('the volume is gone', async () => (await story.findVolume(name)) === undefined);
    first.kill();
    return { disk, name };
  };
  const assertKept = async (story: Story, disk: string) => {
    promise(story.diskExists(disk), 'the disk that its user retained was deleted');
    promise(story.disks().length === 1, `a claim that is gone got ${story.disks().length - 1} disks more`);
    promise((await story.intents()).length === 0, 'a note is left');
  };

  it('although vCenter shows the disk', async () => {
    const story = await openStory();
    const { disk, name } = await keptUnheardOf(story);
    await story.advance(1_200_000);
    await assertKept(story, disk);
    promise(
      (await story.findVolume(name)) === undefined,
      'the PersistentVolume was made again for a claim that is gone',
    );
  });

  it('although vCenter does not show the disk', async () => {
    const story = await openStory();
    await story.storageClass('retain', { reclaimPolicy: 'Retain' });
    const { disk } = await keptUnheardOf(story, 'retain');
    const show = story.sim.control.hideVolumes();
    await story.advance(100_000);
    show();
    await story.advance(1_200_000);
    await assertKept(story, disk);
  });
});

it('3: a disk whose PersistentVolume was changed to Retain outlives the retries of its deletion', async () => {
  const story = await openStory();
  const replica = story.start();
  await story.claim('data');
  await story.bound('data');
  const disk = await handleOf(story, 'data');
  const { name = '' } = (await story.volumeOf('data')).metadata;
  const heal = story.sim.control.addFault({ method: 'CnsDeleteVolume', effect: { kind: 'drop', when: 'before' } });
  await story.deleteClaim('data');
  await story.until('deletion was tried', () => story.sim.recorder.count('CnsDeleteVolume') > 0 || undefined);
  replica.hangWatches();
  await story.patchVolume(name, { spec: { persistentVolumeReclaimPolicy: 'Retain' } });
  heal();
  await story.advance(120_000);
  promise(story.diskExists(disk), 'the disk of a PersistentVolume with policy Retain was deleted');
});

it('4: the disk of a Bound PersistentVolume outlives another one with the same handle', async () => {
  const story = await openStory();
  story.start();
  await story.claim('old');
  await story.bound('old');
  const volume = await story.volumeOf('old');
  const disk = await handleOf(story, 'old');
  // An administrator hands the disk to another claim, and forgets what the first volume's policy is.
  await story.makeVolume({
    ...volume,
    metadata: { name: 'by-hand' },
    spec: {
      ...volume.spec,
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { namespace: 'default', name: 'kept' },
    },
  });
  await story.claim('kept', 'vsphere', { volumeName: 'by-hand' });
  await story.bound('kept');
  await story.deleteClaim('old');
  await story.advance(120_000);
  promise((await handleOf(story, 'kept')) === disk, 'the story is wrong: another disk');
  promise(story.diskExists(disk), 'the disk of the Bound claim kept was deleted by the Released volume of old');
});
