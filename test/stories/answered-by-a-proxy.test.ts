import { describe, it } from 'vitest';
import { openStory, promise, withSnapshots } from './story-world.ts';
import { answerAfterForwarding } from './troubles.ts';

// vCenter carries out what it was asked for; the caller only hears the proxy.
const slow = { kind: 'task-latency', ms: 30_000 } as const;

// 408: seen from a live vCenter by another client (github.com/vmware/pyvmomi/issues/923). 500 is not a SOAP fault when it is a web page.
describe.each([408, 500, 502, 504] as const)('6: HTTP %i after the request was forwarded', (status) => {
  it('leaves one disk for one claim', async () => {
    const story = await openStory();
    const replica = story.start();
    story.sim.control.addFault({ method: 'CnsCreateVolume', effect: slow });
    replica.onVCenter(answerAfterForwarding(/^CnsCreateVolume$/, status));
    await story.claim('data');
    await story.bound('data');
    await story.advance(60_000);
    promise(story.disks().length === 1, `${story.disks().length} disks for one claim`);
  });

  it('leaves no disk on a VM whose VolumeAttachment is gone', async () => {
    const story = await openStory();
    const replica = story.start();
    await story.claim('data');
    await story.bound('data');
    const volume = await story.volumeOf('data');
    story.sim.control.addFault({ method: 'CnsAttachVolume', times: 1, effect: slow });
    const asked = story.sim.recorder.count('CnsAttachVolume') + 1;
    replica.onVCenter(answerAfterForwarding(/^CnsAttachVolume$/, status));
    await story.attachment('a', volume.metadata.name ?? '', 1);
    await story.until('it was asked for', () => story.sim.recorder.count('CnsAttachVolume') >= asked);
    await story.deleteAttachment('a');
    await story.until('the attachment is gone', async () => (await story.getAttachment('a')) === undefined);
    await story.advance(60_000);
    const holder = story.holderOf(volume.spec.csi?.volumeHandle ?? '');
    promise(holder === undefined, `the disk is on ${holder} without a VolumeAttachment`);
  });

  it('leaves one snapshot for one VolumeSnapshot', async () => {
    const story = await openStory();
    const { makeSnapshot, snapshot } = await withSnapshots(story);
    const replica = story.start();
    await story.claim('data');
    await story.bound('data');
    story.sim.control.addFault({ method: 'CnsCreateSnapshots', effect: slow });
    replica.onVCenter(answerAfterForwarding(/^CnsCreateSnapshots$/, status));
    await makeSnapshot('s', 'data');
    await story.until('it is ready', async () => (await snapshot('s'))?.status?.readyToUse || undefined);
    await story.advance(60_000);
    const taken = story.disks().flatMap(({ snapshots }) => snapshots).length;
    promise(taken === 1, `${taken} snapshots for one VolumeSnapshot`);
  });
});
