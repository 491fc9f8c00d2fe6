import type { VolumeStore } from '@vdo/vsphere-sim/cns/volume-store';
import { describe, it } from 'vitest';
import { diskOfAnotherCluster, orderOfAnotherCluster } from './other-cluster.ts';
import { openStory, promise } from './story-world.ts';
import { outage } from './troubles.ts';

/**
 * A creation is under way and its task noted. The controller goes down; vCenter is restored from a backup of before and counts its tasks
 * anew, and it is another cluster that asks for disks first.
 */
const countedAgain = async (latencyMs: number) => {
  const story = await openStory();
  const first = story.start('replica-1');
  const heal = story.sim.control.addFault({
    method: 'CnsCreateVolume',
    effect: { kind: 'task-latency', ms: latencyMs },
  });
  await story.claim('data');
  const noted = await story.until('the task is noted', async () => (await story.intents())[0]?.spec.task);
  first.kill();
  heal();
  story.sim.control.forgetTasks({ renumber: true });
  return { story, noted };
};

const taskOfAnotherCluster = async () => {
  const { story, noted } = await countedAgain(3_600_000);
  for (let count = 1; count < 10; count++) {
    const { id, task } = await diskOfAnotherCluster(story, `theirs-${count}`);
    if (noted === `Task:${task}`) return { story, theirs: id };
  }
  throw new Error(`the story is wrong: ${noted} was not given again`);
};

/** The same, and what the other cluster asks for fails, while vCenter goes on untold with what it was asked for before. */
const failureOfAnotherCluster = async () => {
  const { story, noted } = await countedAgain(120_000);
  const fault = { $type: 'NoDiskSpace', file: '', datastore: 'shared-vmfs' };
  story.sim.control.addFault({ method: 'CnsCreateVolume', times: 10, effect: { kind: 'task-failure', fault } });
  for (let count = 1; count < 10; count++)
    if (noted === `Task:${await orderOfAnotherCluster(story, `theirs-${count}`)}`) {
      story.sim.control.clearFaults();
      return story;
    }
  throw new Error(`the story is wrong: ${noted} was not given again`);
};

describe('5: a task number that vCenter gave twice', () => {
  it('does not hand over the disk of another cluster', async () => {
    const { story, theirs } = await taskOfAnotherCluster();
    story.start('replica-2');
    // Its own task is forgotten, and its work may go on untold.
    await story.advance(360_000);
    await story.bound('data');
    const handle = (await story.volumeOf('data')).spec.csi?.volumeHandle;
    promise(handle !== theirs, 'the claim data was given the disk of another cluster');
  });

  it('does not delete the disk of another cluster', async () => {
    const { story, theirs } = await taskOfAnotherCluster();
    await story.deleteClaim('data');
    await story.until('the claim is gone', async () => (await story.getClaim('data')) === undefined);
    story.start('replica-2');
    await story.advance(120_000);
    promise(story.diskExists(theirs), 'the disk of another cluster was deleted');
  });

  it('makes no second disk when the task of another cluster fails', async () => {
    const story = await failureOfAnotherCluster();
    story.start('replica-2');
    await story.advance(600_000);
    await story.bound('data');
    promise(story.disks().length === 1, `${story.disks().length} disks for one claim`);
  });

  it('leaves no disk of a deleted claim when the task of another cluster fails', async () => {
    const story = await failureOfAnotherCluster();
    await story.deleteClaim('data');
    story.start('replica-2');
    await story.advance(900_000);
    promise(story.disks().length === 0, 'the disk of the deleted claim is left');
    promise((await story.intents()).length === 0, 'a note is left');
  });
});

/** As above, but the controller lives, and waits for its task when vCenter is back. */
const waitedFor = async (theirs: 'made' | 'failed') => {
  const story = await openStory();
  const replica = story.start('replica-1');
  const { control } = story.sim;
  control.addFault({ method: 'CnsCreateVolume', times: 1, effect: { kind: 'task-latency', ms: 120_000 } });
  await story.claim('data');
  const noted = await story.until('the task is noted', async () => (await story.intents())[0]?.spec.task);
  const heal = replica.onVCenter(outage());
  control.restart(1_000);
  control.forgetTasks({ renumber: true });
  await story.advance(2_000);
  const fault = { $type: 'NoDiskSpace', file: '', datastore: 'shared-vmfs' };
  if (theirs === 'failed')
    control.addFault({ method: 'CnsCreateVolume', times: 10, effect: { kind: 'task-failure', fault } });
  for (let count = 1; noted !== `Task:${await orderOfAnotherCluster(story, `theirs-${count}`)}`; count++)
    if (count === 10) throw new Error(`the story is wrong: ${noted} was not given again`);
  await story.advance(2_000);
  control.clearFaults();
  const others = new Set(story.disks().map(({ id }) => id));
  heal();
  return { story, others };
};

describe('5: a task number that vCenter gave twice, and whose second disk is gone', () => {
  /** The first disk is made while no controller runs; the vCenter that comes back has forgotten it. */
  const forgotten = async () => {
    const story = await openStory();
    const store = story.sim.volumes as VolumeStore;
    const first = story.start('replica-1');
    story.sim.control.addFault({ method: 'CnsCreateVolume', effect: { kind: 'task-latency', ms: 30_000 } });
    await story.claim('data');
    const noted = await story.until('the task is noted', async () => (await story.intents())[0]?.spec.task);
    first.kill();
    story.sim.control.clearFaults();
    await story.advance(60_000);
    const disk = story.disks()[0]?.id ?? '';
    story.sim.control.forgetTasks({ renumber: true });
    store.release(disk);
    for (let count = 1; count < 10; count++) {
      const { id, task } = await diskOfAnotherCluster(story, `theirs-${count}`);
      if (noted !== `Task:${task}`) continue;
      store.remove(id);
      const own = () => [...store.disks(), ...store.list()].filter(({ name }) => !name.startsWith('theirs'));
      return { story, disk, own };
    }
    throw new Error(`the story is wrong: ${noted} was not given again`);
  };

  it('leaves no disk of a deleted claim', async () => {
    const { story, own } = await forgotten();
    await story.deleteClaim('data');
    story.start('replica-2');
    await story.advance(1_800_000);
    promise(own().length === 0, 'the disk of the deleted claim is left');
    promise((await story.intents()).length === 0, 'a note is left');
  });

  it('serves the claim with its own disk', async () => {
    const { story, disk, own } = await forgotten();
    story.start('replica-2');
    await story.advance(1_800_000);
    await story.bound('data');
    const handle = (await story.volumeOf('data')).spec.csi?.volumeHandle;
    promise(handle === disk && own().length === 1, `the claim got ${handle}, and ${disk} is left`);
  });
});

describe('5: a task number that vCenter gave twice while its first task was waited for', () => {
  it('does not hand over the disk of another cluster', async () => {
    const { story, others } = await waitedFor('made');
    await story.advance(900_000);
    await story.bound('data');
    const handle = (await story.volumeOf('data')).spec.csi?.volumeHandle ?? '';
    promise(!others.has(handle), 'the claim data was given the disk of another cluster');
    promise(story.disks().length === others.size + 1, `${story.disks().length - others.size} disks for one claim`);
  });

  it('makes no second disk when the task of another cluster fails', async () => {
    const { story } = await waitedFor('failed');
    await story.advance(900_000);
    await story.bound('data');
    promise(story.disks().length === 1, `${story.disks().length} disks for one claim`);
  });

  it('leaves no disk of a deleted claim when the task of another cluster fails', async () => {
    const { story } = await waitedFor('failed');
    await story.deleteClaim('data');
    await story.advance(900_000);
    promise(story.disks().length === 0, 'the disk of the deleted claim is left');
    promise((await story.intents()).length === 0, 'a note is left');
  });
});
