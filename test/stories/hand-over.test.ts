import { annotationKeys, leaseNames, names } from '@vdo/config/names';
import { leases } from '@vdo/kube/types/cluster';
import { describe, expect, it } from 'vitest';
import { attachedClaim } from './attach-world.ts';
import { openStory, promise, type Story } from './story-world.ts';
import { loseReply } from './troubles.ts';

const second = 1_000;
const lease = { namespace: names.upstreamCsiNamespace, name: leaseNames.attacher };

const slowly = ({ sim }: Story, method: string, ms: number): void => {
  sim.control.addFault({ method, times: 1, effect: { kind: 'task-latency', ms } });
};
const asked = (story: Story, method: string, times = 1) =>
  story.until(`${method} was called`, () => story.sim.recorder.count(method) >= times);
const gone = (story: Story, name: string) =>
  story.until(`${name} is gone`, async () => (await story.getAttachment(name)) === undefined);
/** How long it takes, by the clock of the story. */
const timed = async ({ clock }: Story, work: () => Promise<unknown>): Promise<number> => {
  const sinceMs = clock.monotonicMs();
  await work();
  return clock.monotonicMs() - sinceMs;
};

describe('a controller that is replaced in an upgrade', () => {
  it('ends the detach that it has begun, and its successor detaches the next disk at once', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    await attachedClaim(story, { claim: 'one', attachment: 'a', node: 1 });
    await attachedClaim(story, { claim: 'two', attachment: 'b', node: 1 });
    story.start('replica-2');
    slowly(story, 'CnsDetachVolume', 2 * second);
    await story.deleteAttachment('a');
    await asked(story, 'CnsDetachVolume');
    first.stop();
    // Nobody is there who could begin with it before the next one leads.
    await story.deleteAttachment('b');
    const tookMs = await timed(story, () => Promise.all([gone(story, 'a'), gone(story, 'b')]));
    promise(tookMs < 10 * second, `the disks were let go after ${tookMs / second} s`);
  });

  it('ends the attach that it has begun, and its successor detaches that disk at once', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    const { volume, disk } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    await story.deleteAttachment('a');
    await gone(story, 'a');
    story.start('replica-2');
    slowly(story, 'CnsAttachVolume', 2 * second);
    await story.attachment('b', volume, 2);
    await asked(story, 'CnsAttachVolume', 2);
    first.stop();
    await story.attached('b');
    await story.deleteAttachment('b');
    const tookMs = await timed(story, () => gone(story, 'b'));
    promise(tookMs < 10 * second, `the disk was let go after ${tookMs / second} s`);
    promise(story.holderOf(disk) === undefined, 'the disk is on a VM without a VolumeAttachment');
  });

  it('that dies in a detach keeps the disk for its Lease and the minute in which its request may arrive, no longer', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    story.start('replica-2');
    slowly(story, 'CnsDetachVolume', 2 * second);
    await story.deleteAttachment('a');
    await asked(story, 'CnsDetachVolume');
    first.kill();
    const tookMs = await timed(story, () => gone(story, 'a'));
    // 15 s of the Lease, 2 s until the next try to take it, 60 s, and a second or two for the last look.
    promise(tookMs < 80 * second, `the disk was let go after ${tookMs / second} s`);
    promise(
      tookMs > 60 * second,
      `the disk was let go after ${tookMs / second} s, and the request might still have arrived`,
    );
  });

  it('says with the Lease that nothing of it is under way; a crash says nothing', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    first.stop();
    await first.running;
    const { metadata, spec } = await story.client.get(leases, lease);
    expect(spec?.holderIdentity).toBe('');
    expect(metadata.annotations?.[annotationKeys.settledTerm]).toBe(String(spec?.leaseTransitions ?? 0));
    const next = story.start('replica-2');
    await story.until('it leads', async () => (await story.client.get(leases, lease)).spec?.holderIdentity !== '');
    next.kill();
    const after = await story.client.get(leases, lease);
    expect(after.metadata.annotations?.[annotationKeys.settledTerm]).not.toBe(String(after.spec?.leaseTransitions));
  });

  it('says nothing of the kind while a reply is missing, and its successor waits until that is known', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    const { disk } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    // Three minutes, and the reply is lost: whoever comes next must not believe what he sees before.
    slowly(story, 'CnsDetachVolume', 180 * second);
    first.onVCenter(loseReply(/^CnsDetachVolume$/));
    await story.deleteAttachment('a');
    await asked(story, 'CnsDetachVolume');
    first.stop();
    await first.running;
    const { metadata, spec } = await story.client.get(leases, lease);
    expect(metadata.annotations?.[annotationKeys.settledTerm]).not.toBe(String(spec?.leaseTransitions));
    story.start('replica-2');
    const tookMs = await timed(story, () => gone(story, 'a'));
    promise(tookMs > 60 * second, `it was let go after ${tookMs / second} s, while vCenter may still be at it`);
    promise(story.holderOf(disk) === undefined, 'the disk is on a VM without a VolumeAttachment');
  });

  it('does not vouch for what an earlier one left behind that crashed, before it knows', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    slowly(story, 'CnsDetachVolume', 180 * second);
    await story.deleteAttachment('a');
    await asked(story, 'CnsDetachVolume');
    first.kill();
    const next = story.start('replica-2');
    await story.until(
      'it leads',
      async () => (await story.client.get(leases, lease)).spec?.holderIdentity === 'replica-2',
    );
    await story.advance(5 * second);
    next.stop();
    await next.running;
    const { metadata, spec } = await story.client.get(leases, lease);
    expect(metadata.annotations?.[annotationKeys.settledTerm]).not.toBe(String(spec?.leaseTransitions));
  });
});
