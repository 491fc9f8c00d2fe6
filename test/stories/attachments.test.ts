import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VmModel, VSphereModel } from '@vdo/vsphere-sim/model';
import { describe, expect, it } from 'vitest';
import { attachedClaim, provisioned, replaceNode, vmWith } from './attach-world.ts';
import { openStory, promise, type Story } from './story-world.ts';
import { outage } from './troubles.ts';

/**
 * Whoever deletes an attachment may take its end for this: no VM has the disk any more. `solve` is what people do about an attachment
 * that rightly waits.
 */
const deleteAndObserve = async (
  story: Story,
  { disk, why, solve }: { readonly disk: string; readonly why: string; readonly solve?: () => void },
): Promise<void> => {
  const isThere = async () => (await story.getAttachment('a')) !== undefined;
  const violation = `VolumeAttachment released without a detach: ${why}`;
  await story.deleteAttachment('a');
  await story.advance(60_000);
  promise((await isThere()) || vmWith(story, disk) === undefined, violation);
  solve?.();
  await story.until('the attachment is gone', async () => !(await isThere()));
  promise(vmWith(story, disk) === undefined, violation);
};

const withVm = (vm: VmModel): VSphereModel => {
  const model = demoModel();
  return { ...model, datacenters: model.datacenters.map((one) => ({ ...one, vms: [...one.vms, vm] })) };
};
const busy = {
  kind: 'fault',
  fault: { $type: 'TaskInProgress', task: { $type: 'ManagedObjectReference', type: 'Task', value: 'task-1' } },
} as const;

it('attaches no disk for a VolumeAttachment that is gone, although its watch has heard of nothing else', async () => {
  const story = await openStory();
  const first = story.start('replica-1');
  const second = story.start('replica-2');
  await story.claim('data');
  const { volume, disk } = await provisioned(story, 'data');
  const heal = first.onVCenter(outage());
  await story.attachment('a', volume, 1);
  // Both hear that it is held, and not yet attached.
  await story.advance(10_000);
  second.hangWatches(/volumeattachments$/);
  heal();
  await story.deleteAttachment('a');
  await story.until('it is gone', async () => (await story.getAttachment('a')) === undefined);
  first.kill();
  await story.advance(100_000);
  promise(story.holderOf(disk) === undefined, `the disk is on ${story.holderOf(disk)} without a VolumeAttachment`);
});

describe('story 10: a VolumeAttachment goes only when the disk is off the VM', () => {
  it('although the new leader has never heard of the PersistentVolume', async () => {
    const story = await openStory();
    const first = story.start('replica-1');
    const second = story.start('replica-2');
    await story.advance(30_000);
    // The second one has read the cluster before there was a claim, and its stream of PersistentVolumes is half open since.
    second.hangWatches(/persistentvolumes$/);
    const { disk } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    first.kill();
    await deleteAndObserve(story, { disk, why: 'the PersistentVolume is not in the cache' });
  });

  it('although somebody took the PersistentVolume away by hand', async () => {
    const story = await openStory();
    story.start();
    const { disk, volume } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    await story.deleteVolume(volume);
    await story.patchVolume(volume, { metadata: { finalizers: null } });
    await story.until('it is gone', async () => (await story.findVolume(volume)) === undefined);
    await deleteAndObserve(story, { disk, why: 'the PersistentVolume was removed by hand' });
  });

  it('although a second VM has the BIOS UUID of the node', async () => {
    const story = await openStory({
      model: withVm({ name: 'copy-of-node-1', folder: 'kubernetes', power: 'poweredOff', tools: false }),
    });
    const first = story.start('replica-1');
    const { disk } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    const { write, read } = story.sim.control;
    const uuid = read('copy-of-node-1', 'config.uuid');
    write('copy-of-node-1', { 'config.uuid': read('node-1', 'config.uuid') });
    // What the first one remembers of the VM does not count here.
    first.stop();
    story.start('replica-2');
    const solve = () => write('copy-of-node-1', { 'config.uuid': uuid });
    await deleteAndObserve(story, { disk, why: 'two VMs have the UUID of the node', solve });
  });

  it('although the VM was registered anew a moment ago', async () => {
    const story = await openStory();
    story.start();
    const { disk } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    story.sim.control.registerAgain('node-1');
    await deleteAndObserve(story, { disk, why: 'the VM has a new reference' });
  });
});

describe('story 11: a disk goes to the VM that is the node now', () => {
  it('although the attachment was begun when another VM had its name', async () => {
    const uuid = '42120000-0000-4000-8000-0000000000aa';
    const story = await openStory({ model: withVm({ name: 'new-node-1', folder: 'kubernetes', uuid }) });
    story.start();
    await story.claim('data');
    const { volume, disk } = await provisioned(story, 'data');
    const heal = story.sim.control.addFault({ method: 'CnsAttachVolume', effect: busy });
    await story.attachment('a', volume, 1);
    await story.until('it failed once', async () => (await story.getAttachment('a'))?.status?.attachError);
    story.sim.control.powerOff('node-1');
    await replaceNode(story, { node: 1, uuid });
    heal();
    await story.attached('a');
    promise(vmWith(story, disk) === 'new-node-1', 'the disk went to the VM that was node-1 before');
  });

  it('although the watch of CSINodes hangs since before another VM took its name', async () => {
    const uuid = '42120000-0000-4000-8000-0000000000aa';
    const story = await openStory({ model: withVm({ name: 'new-node-1', folder: 'kubernetes', uuid }) });
    const replica = story.start();
    await story.claim('data');
    const { volume, disk } = await provisioned(story, 'data');
    replica.hangWatches(/csinodes/);
    story.sim.control.powerOff('node-1');
    await replaceNode(story, { node: 1, uuid });
    await story.attachment('a', volume, 1);
    await story.attached('a');
    promise(vmWith(story, disk) === 'new-node-1', 'the disk went to the VM that was node-1 before');
  });
});

describe('story 18: an attachment that says attached has the disk', () => {
  it('although an older one of the same volume and node is still being deleted', async () => {
    const story = await openStory();
    story.start();
    const { volume, disk } = await attachedClaim(story, { claim: 'data', attachment: 'older', node: 1 });
    const heal = story.sim.control.addFault({ method: 'CnsDetachVolume', effect: busy });
    await story.deleteAttachment('older');
    await story.until('it failed once', async () => (await story.getAttachment('older'))?.status?.detachError);
    await story.attachment('newer', volume, 1);
    await story.attached('newer');
    heal();
    await story.until('the older one is gone', async () => (await story.getAttachment('older')) === undefined);
    await story.advance(2 * 60_000);
    const says = (await story.getAttachment('newer'))?.status?.attached ?? false;
    promise(
      !says || vmWith(story, disk) === 'node-1',
      'the newer attachment says attached: true, and the disk is on no VM',
    );
  });
});

describe('story 8: an attachment that was asked for is waited for', () => {
  it('although vCenter was away when its task had ended for us, and has forgotten it', async () => {
    const story = await openStory();
    story.start();
    await story.claim('data');
    const { volume, disk } = await provisioned(story, 'data');
    story.sim.control.addFault({
      method: 'CnsAttachVolume',
      times: 1,
      effect: { kind: 'task-latency', ms: 240_000 },
    });
    await story.attachment('a', volume, 1);
    await story.until('it was asked for', () => story.sim.recorder.count('CnsAttachVolume') > 0);
    await story.advance(2_000);
    story.sim.control.restart(60_000);
    story.sim.control.forgetTasks();
    await story.deleteAttachment('a');
    await story.advance(15 * 60_000);
    promise((await story.getAttachment('a')) === undefined, 'the attachment was never let go');
    promise(vmWith(story, disk) === undefined, 'the disk came late, and nobody takes it off the VM');
  });
});

describe('an attachment that fails', () => {
  /** Calls of a method within ten minutes in which each of them fails. */
  const triesOf = async (story: Story, method: 'CnsAttachVolume' | 'CnsDetachVolume'): Promise<number> => {
    const before = story.sim.recorder.count(method);
    await story.advance(600_000);
    return story.sim.recorder.count(method) - before;
  };
  /** Pauses double from a fifth of a second to a minute. */
  const most = 25;

  it('is tried again at growing intervals, as its own report is no news', async () => {
    const story = await openStory();
    story.start();
    await story.claim('data');
    const { volume } = await provisioned(story, 'data');
    const heal = story.sim.control.addFault({ method: 'CnsAttachVolume', effect: busy });
    await story.attachment('a', volume, 1);
    expect(await triesOf(story, 'CnsAttachVolume')).toBeLessThan(most);
    heal();
    await story.attached('a');
  });

  it('is detached at growing intervals, too', async () => {
    const story = await openStory();
    story.start();
    const { disk } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
    const heal = story.sim.control.addFault({ method: 'CnsDetachVolume', effect: busy });
    await story.deleteAttachment('a');
    expect(await triesOf(story, 'CnsDetachVolume')).toBeLessThan(most);
    heal();
    await story.until('the attachment is gone', async () => (await story.getAttachment('a')) === undefined);
    promise(vmWith(story, disk) === undefined, 'the attachment went before the disk');
  });
});
