import { describe, it } from 'vitest';
import { attachedClaim } from './attach-world.ts';
import { openStory, promise, type Story } from './story-world.ts';
import { answerAfterForwarding, loseReply } from './troubles.ts';

const minutes = 60_000;
/** The first call of this method takes three minutes, however soon the next one is done. */
const slowOnce = ({ sim }: Story, method: string): void => {
  sim.control.addFault({ method, times: 1, effect: { kind: 'task-latency', ms: 3 * minutes } });
};
const asked = (story: Story, method: string) =>
  story.until(`${method} was called`, () => story.sim.recorder.count(method) >= 1);
const gone = (story: Story, name: string) =>
  story.until(`${name} is gone`, async () => (await story.getAttachment(name)) === undefined);

describe('a task that ends long after another leader did the same', () => {
  it('brings no disk back that was detached meanwhile', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    await story.claim('data');
    await story.bound('data');
    const volume = await story.volumeOf('data');
    slowOnce(story, 'CnsAttachVolume');
    await story.attachment('a', volume.metadata.name ?? '', 1);
    await asked(story, 'CnsAttachVolume');
    first.kill();
    story.start('replica-2');
    await story.attached('a');
    await story.deleteAttachment('a');
    // Whether vCenter has forgotten the first task, whoever was there cannot tell any more.
    await story.advance(3 * minutes);
    await gone(story, 'a');
    await story.advance(4 * minutes);
    const holder = story.holderOf(volume.spec.csi?.volumeHandle ?? '');
    promise(holder === undefined, `the disk is on ${holder} without a VolumeAttachment`);
  });

  it('brings no disk back although a second request has attached it, and whoever sent both is dead', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    await story.claim('data');
    await story.bound('data');
    const volume = await story.volumeOf('data');
    slowOnce(story, 'CnsAttachVolume');
    first.onVCenter(loseReply(/^CnsAttachVolume$/));
    await story.attachment('a', volume.metadata.name ?? '', 1);
    await story.attached('a');
    first.kill();
    story.start('replica-2');
    // It leads, and has seen the disk attached, before anybody wants it off.
    await story.advance(minutes);
    await story.deleteAttachment('a');
    await gone(story, 'a');
    await story.advance(4 * minutes);
    const holder = story.holderOf(volume.spec.csi?.volumeHandle ?? '');
    promise(holder === undefined, `the disk is on ${holder} without a VolumeAttachment`);
  });

  it('brings no disk back although vCenter was away when the first look was due, and has forgotten it', async () => {
    const story = await openStory();
    const replica = story.start();
    await story.claim('data');
    await story.bound('data');
    const volume = await story.volumeOf('data');
    slowOnce(story, 'CnsAttachVolume');
    replica.onVCenter(answerAfterForwarding(/^CnsAttachVolume$/, 503));
    await story.attachment('a', volume.metadata.name ?? '', 1);
    await asked(story, 'CnsAttachVolume');
    story.sim.control.restart(70_000);
    story.sim.control.forgetTasks();
    await story.deleteAttachment('a');
    // What vCenter has forgotten may go on for six of them.
    await story.advance(7 * minutes);
    await gone(story, 'a');
    const holder = story.holderOf(volume.spec.csi?.volumeHandle ?? '');
    promise(holder === undefined, `the disk is on ${holder} without a VolumeAttachment`);
  });

  it('takes no disk away that was attached again meanwhile', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    const { volume, disk } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    slowOnce(story, 'CnsDetachVolume');
    await story.deleteAttachment('a');
    await asked(story, 'CnsDetachVolume');
    first.kill();
    story.start('replica-2');
    await gone(story, 'a');
    await story.attachment('b', volume, 1);
    await story.attached('b');
    await story.advance(4 * minutes);
    promise(story.holderOf(disk) !== undefined, 'the disk is on no VM, and its VolumeAttachment says attached');
  });

  it('takes no disk away although the same leader asked a second time', async () => {
    const story = await openStory();
    const replica = story.start();
    const { volume, disk } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    slowOnce(story, 'CnsDetachVolume');
    replica.onVCenter(loseReply(/^CnsDetachVolume$/));
    await story.deleteAttachment('a');
    await gone(story, 'a');
    await story.attachment('b', volume, 1);
    await story.attached('b');
    await story.advance(4 * minutes);
    promise(story.holderOf(disk) !== undefined, 'the disk is on no VM, and its VolumeAttachment says attached');
  });
});
