import { describe, it } from 'vitest';
import { snapshotOfAnotherCluster } from './other-cluster.ts';
import { openStory, promise, type Story, withSnapshots } from './story-world.ts';
import { loseReply } from './troubles.ts';

const minutes = 60_000;
const snapshotsOn = (story: Story) => story.disks().flatMap(({ snapshots }) => snapshots);

const withClaim = async () => {
  const story = await openStory();
  const api = await withSnapshots(story);
  const replica = story.start('replica-1');
  await story.claim('data');
  await story.bound('data');
  return { story, replica, ...api };
};

describe('5: a task number that vCenter gave twice', () => {
  it('takes one snapshot, although the task of another that has its number now has failed', async () => {
    const { story, replica, makeSnapshot, snapshot } = await withClaim();
    const disk = story.disks()[0]?.id ?? '';
    const heal = story.sim.control.addFault({
      method: 'CnsCreateSnapshots',
      effect: { kind: 'task-latency', ms: 2 * minutes },
    });
    await makeSnapshot('s', 'data');
    const noted = await story.until('the task is noted', async () =>
      (await story.intents()).map(({ spec }) => spec.task).find((task) => task !== undefined),
    );
    replica.kill();
    heal();
    // vCenter is restored: it counts its tasks anew, and goes on untold with what it was asked for before.
    story.sim.control.forgetTasks({ renumber: true });
    const fault = { $type: 'NoDiskSpace', file: '', datastore: 'shared-vmfs' };
    story.sim.control.addFault({ method: 'CnsCreateSnapshots', times: 10, effect: { kind: 'task-failure', fault } });
    let isGiven = false;
    for (let count = 1; count < 10 && !isGiven; count++)
      isGiven = noted === `Task:${await snapshotOfAnotherCluster(story, disk)}`;
    promise(isGiven, `the story is wrong: ${noted} was not given again`);
    story.sim.control.clearFaults();
    story.start('replica-2');
    await story.advance(10 * minutes);
    await story.until('it is ready', async () => (await snapshot('s'))?.status?.readyToUse);
    promise(snapshotsOn(story).length === 1, `${snapshotsOn(story).length} snapshots for one VolumeSnapshot`);
  });
});

describe('14: a snapshot that CNS does not show', () => {
  it('keeps its content although the session ends while its disk is looked for on the datastores', async () => {
    const { story, makeSnapshot, snapshot, deleteSnapshot, contents } = await withClaim();
    await story.claim('other');
    await story.bound('other');
    await makeSnapshot('s', 'data');
    await story.until('it is ready', async () => (await snapshot('s'))?.status?.readyToUse);
    const disk = story.disks().find(({ snapshots }) => snapshots.length > 0)?.id ?? '';
    const show = story.sim.control.hideVolumes(({ id }) => id === disk);
    story.sim.control.addFault({ method: 'RetrievePropertiesEx', times: 1, effect: { kind: 'expire-session' } });
    await deleteSnapshot('s');
    await story.advance(minutes);
    promise((await contents()).length === 1, 'nothing in the cluster names the snapshot any more');
    show();
    await story.advance(15 * minutes);
    promise(snapshotsOn(story).length === 0, 'the snapshot is left on the disk');
    promise((await contents()).length === 0, 'the content is left');
  });

  it('is deleted all the same, and its content does not go before it', async () => {
    const { story, makeSnapshot, snapshot, deleteSnapshot, contents } = await withClaim();
    await makeSnapshot('s', 'data');
    await story.until('it is ready', async () => (await snapshot('s'))?.status?.readyToUse);
    const show = story.sim.control.hideSnapshots();
    await deleteSnapshot('s');
    await story.advance(5 * minutes);
    promise(
      snapshotsOn(story).length <= (await contents()).length,
      'the snapshot is left on the disk, and nothing in the cluster names it any more',
    );
    show();
    await story.advance(15 * minutes);
    promise(snapshotsOn(story).length === 0, 'the snapshot is left on the disk');
    promise((await contents()).length === 0, 'the content is left');
  });
});

describe('8: a snapshot that vCenter may still be taking', () => {
  it('keeps its content, although whoever asked is dead, and vCenter has forgotten its task since', async () => {
    const { story, replica, makeSnapshot, deleteSnapshot, contents } = await withClaim();
    story.sim.control.addFault({ method: 'CnsCreateSnapshots', effect: { kind: 'task-latency', ms: 5 * minutes } });
    replica.onVCenter(loseReply(/^CnsCreateSnapshots$/));
    await makeSnapshot('s', 'data');
    await story.until('vCenter is asked', async () => story.sim.recorder.count('CnsCreateSnapshots') === 1);
    replica.kill();
    story.sim.control.restart(1_000);
    story.sim.control.forgetTasks();
    await story.advance(5_000);
    story.start('replica-2');
    await story.advance(minutes);
    await deleteSnapshot('s');
    await story.advance(20 * minutes);
    promise(snapshotsOn(story).length === 0, 'a snapshot is left on the disk');
    promise((await contents()).length === 0, 'the content is left');
  });

  it('keeps its content until it is known, although vCenter refuses to say: it goes with the content, and nothing is left', async () => {
    const { story, replica, makeSnapshot, deleteSnapshot, contents } = await withClaim();
    story.sim.control.addFault({ method: 'CnsCreateSnapshots', effect: { kind: 'task-latency', ms: 2 * minutes } });
    replica.onVCenter(loseReply(/^CnsCreateSnapshots$/));
    await makeSnapshot('s', 'data');
    const asked = () => story.sim.recorder.count('CnsCreateSnapshots');
    await story.until('vCenter is asked, and its reply is lost', async () => asked() === 1);
    const before = story.sim.recorder.count('CnsQueryVolume');
    story.sim.control.addFault({
      method: 'CnsQueryVolume',
      effect: { kind: 'fault', fault: { $type: 'InvalidState' } },
    });
    await story.until('a look-up is refused', async () => story.sim.recorder.count('CnsQueryVolume') > before);
    await deleteSnapshot('s');
    await story.advance(1 * minutes);
    story.sim.control.clearFaults();
    await story.advance(30 * minutes);
    promise(asked() === 1, `the snapshot was asked for ${asked()} times`);
    promise(snapshotsOn(story).length === 0, 'a snapshot is left that nothing in the cluster names');
    promise((await contents()).length === 0, 'the content is left');
    const notes = (await story.intents()).map(({ metadata }) => metadata.name);
    promise(notes.length === 0, `notes are left: ${notes}`);
  });
});
