import { describe, it } from 'vitest';
import { provisioned } from './attach-world.ts';
import { openStory, promise } from './story-world.ts';
import { loseReply, outage } from './troubles.ts';

/** A disk is being made, which takes two minutes; its task is noted, and vCenter restarts and forgets it. The work goes on. */
const forgottenCreation = async () => {
  const story = await openStory();
  const replica = story.start('replica-1');
  story.sim.control.addFault({ method: 'CnsCreateVolume', times: 1, effect: { kind: 'task-latency', ms: 120_000 } });
  await story.claim('data');
  await story.until('the task is noted', async () => (await story.intents())[0]?.spec.task);
  story.sim.control.restart(10_000);
  story.sim.control.forgetTasks();
  return { story, replica };
};

describe('7: a vCenter that forgets its tasks at a restart', () => {
  it('makes one disk for one claim', async () => {
    const { story, replica } = await forgottenCreation();
    replica.kill();
    story.start('replica-2');
    await story.bound('data');
    await story.advance(120_000);
    promise(story.disks().length === 1, `${story.disks().length} disks for one claim`);
  });

  it.each([
    ['whose claim waits for it', false],
    ['whose claim is deleted meanwhile', true],
  ])(
    'leaves no disk of a creation %s, although whoever asked died before it had noted the task',
    async (_name, gone) => {
      const story = await openStory();
      const replica = story.start('replica-1');
      const slow = { kind: 'task-latency', ms: 280_000 } as const;
      story.sim.control.addFault({ method: 'CnsCreateVolume', times: 1, effect: slow });
      replica.onVCenter(loseReply(/^CnsCreateVolume$/));
      await story.claim('data');
      await story.until('vCenter is asked', () => story.sim.recorder.count('CnsCreateVolume') === 1);
      replica.kill();
      const [intent] = await story.intents();
      promise(intent !== undefined && intent.spec.task === undefined, 'the story is wrong: the task is noted');
      story.sim.control.restart(1_000);
      story.sim.control.forgetTasks();
      await story.advance(5_000);
      story.start('replica-2');
      await story.advance(60_000);
      if (gone) await story.deleteClaim('data');
      else
        await story.until('the claim is bound', async () => (await story.getClaim('data'))?.status?.phase === 'Bound', {
          withinMs: 420_000,
        });
      await story.advance(1_200_000);
      const wanted = gone ? 0 : 1;
      promise(story.disks().length === wanted, `${story.disks().length} disks are there, ${wanted} wanted`);
      promise((await story.intents()).length === 0, 'a note is left');
    },
  );

  it('leaves no disk of a claim that was deleted meanwhile', async () => {
    const { story } = await forgottenCreation();
    await story.until('the failure is told', async () => (await story.eventsOf('data')).length > 0);
    await story.deleteClaim('data');
    await story.advance(180_000);
    const known = [...(await story.intents()), ...(await story.persistentVolumes())].length;
    promise(story.disks().length === 0 || known > 0, 'a disk is left that nobody knows of');
  });

  it('leaves no temporary snapshot of a copy whose claim was deleted meanwhile', async () => {
    const story = await openStory();
    story.start();
    await story.claim('data');
    await story.bound('data');
    const slow = { kind: 'task-latency', ms: 277_000 } as const;
    story.sim.control.addFault({ method: 'CnsCreateSnapshots', times: 1, effect: slow });
    await story.claim('copy', 'vsphere', { dataSource: { kind: 'PersistentVolumeClaim', name: 'data' } });
    await story.until('a snapshot is being taken', () => story.sim.recorder.count('CnsCreateSnapshots') > 0);
    await story.advance(5_000);
    story.sim.control.restart(10_000);
    story.sim.control.forgetTasks();
    await story.deleteClaim('copy');
    await story.advance(1_200_000);
    const [disk, ...others] = story.disks();
    promise(others.length === 0, 'a copy is left that nobody wants');
    promise(disk?.snapshots.length === 0, 'the temporary snapshot of the copy is left, and data cannot be deleted');
    promise((await story.intents()).length === 0, 'a note is left');
  });

  it('deletes a disk of which it forgot that it was to', async () => {
    const story = await openStory();
    story.start();
    await story.claim('data');
    await story.bound('data');
    // The task goes with the restart, and the disk stays.
    const never = { kind: 'task-latency', ms: 365 * 24 * 3_600_000 } as const;
    story.sim.control.addFault({ method: 'CnsDeleteVolume', times: 1, effect: never });
    await story.deleteClaim('data');
    await story.until('deletion was asked for', () => story.sim.recorder.count('CnsDeleteVolume') > 0);
    await story.advance(5_000);
    story.sim.control.restart(10_000);
    story.sim.control.forgetTasks();
    await story.advance(360_000);
    const left = (await story.persistentVolumes()).length + story.disks().length;
    promise(left === 0, 'the Released PersistentVolume and its disk are left, and nothing looks again');
  });

  it.each([
    ['that has a session from before', true],
    ['that was not there', false],
  ])('leaves no disk attached without a VolumeAttachment to a leader %s', async (_name, wasThere) => {
    const story = await openStory();
    const first = story.start('replica-2');
    await story.claim('data');
    const { volume, disk } = await provisioned(story, 'data');
    // It comes back when the next one is dead.
    const heal = story.ways('replica-2').onKube(outage());
    if (!wasThere) first.kill();
    await story.advance(30_000);
    const replica = story.start('replica-1');
    const slow = { kind: 'task-latency', ms: 280_000 } as const;
    story.sim.control.addFault({ method: 'CnsAttachVolume', times: 1, effect: slow });
    await story.attachment('a', volume, 1);
    await story.until('attaching has begun', () => story.sim.recorder.count('CnsAttachVolume') > 0);
    replica.kill();
    await story.deleteAttachment('a');
    story.sim.control.restart(10_000);
    story.sim.control.forgetTasks();
    await story.advance(10_000);
    heal();
    if (!wasThere) story.start('replica-3');
    await story.advance(900_000);
    const isLeft = (await story.getAttachment('a')) !== undefined;
    promise(!isLeft, 'the VolumeAttachment never goes');
    promise(story.holderOf(disk) === undefined, `the disk is on ${story.holderOf(disk)} without a VolumeAttachment`);
  });

  it('leaves no disk attached that a dead leader asked for, although the next one has attached it since', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    await story.claim('data');
    const { volume, disk } = await provisioned(story, 'data');
    const slow = { kind: 'task-latency', ms: 280_000 } as const;
    story.sim.control.addFault({ method: 'CnsAttachVolume', times: 1, effect: slow });
    await story.attachment('a', volume, 1);
    await story.until('attaching has begun', () => story.sim.recorder.count('CnsAttachVolume') > 0);
    first.kill();
    story.sim.control.restart(10_000);
    story.sim.control.forgetTasks();
    await story.advance(15_000);
    story.start('replica-2');
    await story.attached('a');
    await story.deleteAttachment('a');
    await story.advance(1_200_000);
    promise((await story.getAttachment('a')) === undefined, 'the VolumeAttachment never goes');
    promise(story.holderOf(disk) === undefined, `the disk is on ${story.holderOf(disk)} without a VolumeAttachment`);
  });
});
