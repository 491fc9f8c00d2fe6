import { describe, it } from 'vitest';
import { provisioned } from './attach-world.ts';
import { openStory, promise } from './story-world.ts';
import { meanwhile, nameOf } from './troubles.ts';

const hourMs = 3_600_000;

describe('story 16: a claim gets one disk, in time', () => {
  it('although the clock of the next leader is ahead', async () => {
    const story = await openStory({ skewMs: { 'replica-2': 120_000 } });
    const first = story.start('replica-1');
    // vCenter takes its time, though not longer than the program waits for an effect that nobody told it of.
    story.sim.control.addFault({ method: 'CnsCreateVolume', effect: { kind: 'task-latency', ms: 45_000 } });
    first.onVCenter(async (request, next) => {
      const reply = await next(request);
      if (nameOf(request) === 'CnsCreateVolume') first.kill();
      return reply;
    });
    await story.claim('data');
    await story.until('vCenter was asked', () => story.sim.recorder.count('CnsCreateVolume') > 0 || undefined);
    story.start('replica-2');
    await story.bound('data');
    await story.advance(60_000);
    promise(story.disks().length === 1, 'a second disk for one claim, since the clock of its leader is ahead');
  });

  it('although the clock of the leader before was ahead', async () => {
    const story = await openStory({ skewMs: { 'replica-1': hourMs } });
    const first = story.start('replica-1');
    let isAsked = false;
    const lost = () => {
      isAsked = true;
      first.kill();
      return new Promise(() => {});
    };
    first.onVCenter(meanwhile(/^CnsCreateVolume$/, lost));
    await story.claim('data');
    await story.until('vCenter is being asked', () => isAsked || undefined);
    story.start('replica-2');
    // Six minutes, since whoever asked is dead: no more than without a difference.
    await story.advance(8 * 60_000);
    const phase = (await story.getClaim('data'))?.status?.phase;
    promise(phase === 'Bound', 'the claim is pending for as long as the clocks differ');
  });
});

describe('an attachment that an earlier leader may still be at', () => {
  it.each([
    ['ahead', hourMs],
    ['behind', -hourMs],
  ])('is waited for, although the clock of the next one is %s', async (_name, skewMs) => {
    const story = await openStory({ skewMs: { 'replica-2': skewMs } });
    const first = story.start('replica-1');
    await story.claim('data');
    const { volume, disk } = await provisioned(story, 'data');
    const effect = { kind: 'task-latency', ms: 180_000 } as const;
    story.sim.control.addFault({ method: 'CnsAttachVolume', times: 1, effect });
    await story.attachment('a', volume, 1);
    await story.until('vCenter was asked', () => story.sim.recorder.count('CnsAttachVolume') > 0 || undefined);
    first.kill();
    story.start('replica-2');
    await story.attached('a');
    await story.deleteAttachment('a');
    await story.advance(600_000);
    promise((await story.getAttachment('a')) === undefined, 'the attachment waits for as long as the clocks differ');
    promise(story.holderOf(disk) === undefined, 'the disk is on a VM without a VolumeAttachment');
  });
});
