import { sleep } from '@vdo/base/clock';
import { annotationKeys } from '@vdo/config/names';
import { nodeIdAnnotation, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { describe, it } from 'vitest';
import { attachedClaim, replaceNode, vmWith } from './attach-world.ts';
import { openStory, promise, type Story } from './story-world.ts';
import { meanwhile, striking } from './troubles.ts';

const busy = {
  kind: 'fault',
  fault: { $type: 'TaskInProgress', task: { $type: 'ManagedObjectReference', type: 'Task', value: 'task-1' } },
} as const;

/** What another leader leaves behind that has attached a disk: it found it on the VM. */
const attachedByAnother = async (
  { client }: Story,
  {
    name,
    volume,
    disk,
    node,
  }: { readonly name: string; readonly volume: string; readonly disk: string; readonly node: number },
): Promise<void> => {
  await client.create<VolumeAttachment>(volumeAttachments, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: {
      name,
      finalizers: ['external-attacher/csi-vsphere-vmware-com'],
      annotations: { [nodeIdAnnotation]: demoUuid(node), [annotationKeys.volumeHandle]: disk },
    },
    spec: {
      attacher: 'csi.vsphere.vmware.com',
      nodeName: `node-${node}`,
      source: { persistentVolumeName: volume },
    },
  });
  const body = { status: { attached: true } };
  await client.patch(volumeAttachments, { name }, { type: 'merge', body }, { subresource: 'status' });
};

const olderIsGone = (story: Story) =>
  story.until('the older one is gone', async () => (await story.getAttachment('older')) === undefined);

const assertThere = async (story: Story, disk: string): Promise<void> => {
  const says = (await story.getAttachment('newer'))?.status?.attached ?? false;
  promise(
    !says || vmWith(story, disk) === 'node-1',
    'the newer attachment says attached: true, and the disk is on no VM',
  );
};

describe('a disk is detached only on what is known now of who wants it there', () => {
  it('although the watch of the leader hangs since it heard of the older attachment', async () => {
    const story = await openStory();
    const replica = story.start();
    const { volume, disk } = await attachedClaim(story, { claim: 'data', attachment: 'older', node: 1 });
    const healVCenter = story.sim.control.addFault({ method: 'CnsDetachVolume', effect: busy });
    await story.deleteAttachment('older');
    await story.until('it failed once', async () => (await story.getAttachment('older'))?.status?.detachError);
    const healWatches = replica.hangWatches(/volumeattachments$/);
    await attachedByAnother(story, { name: 'newer', volume, disk, node: 1 });
    healVCenter();
    await story.advance(60_000);
    await assertThere(story, disk);
    healWatches();
    await olderIsGone(story);
    await assertThere(story, disk);
  });

  it('although the newer attachment has the disk by another PersistentVolume', async () => {
    const story = await openStory();
    story.start();
    const { volume, disk } = await attachedClaim(story, { claim: 'data', attachment: 'older', node: 1 });
    const first = await story.findVolume(volume);
    if (!first) throw new Error('no volume');
    const { claimRef: _bound, ...spec } = first.spec;
    await story.makeVolume({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'second' },
      spec: { ...spec, persistentVolumeReclaimPolicy: 'Retain' },
    });
    const heal = story.sim.control.addFault({ method: 'CnsDetachVolume', effect: busy });
    await story.deleteAttachment('older');
    await story.until('it failed once', async () => (await story.getAttachment('older'))?.status?.detachError);
    await story.attachment('newer', 'second', 1);
    await story.attached('newer');
    heal();
    await olderIsGone(story);
    await story.advance(60_000);
    await assertThere(story, disk);
  });

  it('although a login came between the decision and the call, and took its time', async () => {
    const story = await openStory();
    const replica = story.start();
    const { volume, disk } = await attachedClaim(story, { claim: 'data', attachment: 'older', node: 1 });
    let isLoggingIn = false;
    replica.onVCenter(meanwhile(/^CnsDetachVolume$/, () => story.sim.control.expireSessions()));
    replica.onVCenter(
      striking(/^Login/, 1, async (request, next) => {
        isLoggingIn = true;
        await sleep(story.clock, 20_000);
        return next(request);
      }),
    );
    await story.deleteAttachment('older');
    await story.until('it logs in', () => isLoggingIn || undefined);
    await attachedByAnother(story, { name: 'newer', volume, disk, node: 1 });
    await olderIsGone(story);
    await story.advance(60_000);
    await assertThere(story, disk);
  });

  it('and leaves a VM whose place under its name another took', async () => {
    const uuid = '42120000-0000-4000-8000-0000000000aa';
    const model = demoModel();
    const vm = { name: 'new-node-1', folder: 'kubernetes', uuid };
    const datacenters = model.datacenters.map((one) => ({ ...one, vms: [...one.vms, vm] }));
    const story = await openStory({ model: { ...model, datacenters } });
    story.start();
    const { volume, disk } = await attachedClaim(story, { claim: 'data', attachment: 'older', node: 1 });
    const heal = story.sim.control.addFault({ method: 'CnsDetachVolume', effect: busy });
    await story.deleteAttachment('older');
    await story.until('it failed once', async () => (await story.getAttachment('older'))?.status?.detachError);
    story.sim.control.powerOff('node-1');
    await replaceNode(story, { node: 1, uuid });
    await story.attachment('newer', volume, 1);
    await story.until('it waits', async () => (await story.getAttachment('newer'))?.status?.attachError);
    heal();
    await story.attached('newer');
    await olderIsGone(story);
    promise(vmWith(story, disk) === 'new-node-1', 'the disk is not on the VM that is node-1 now');
  });
});
