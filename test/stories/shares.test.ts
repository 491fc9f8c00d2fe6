import { nodes, persistentVolumes } from '@vdo/kube/types/core';
import { describe, it } from 'vitest';
import { provisioned } from './attach-world.ts';
import { openStory, promise, type Story } from './story-world.ts';
import { requestLost } from './troubles.ts';

const nobody = { name: 'nobody', ips: '*', permissions: 'NO_ACCESS', rootSquash: false } as const;

/** A share that nobody may mount but the nodes it is published to, published to node-1. */
const openWithShare = async () => {
  const story = await openStory({ csi: { netPermissions: [nobody] } });
  const first = story.start('replica-1');
  await story.claim('shared', 'vsphere', { accessModes: ['ReadWriteMany'] });
  const { volume, disk } = await provisioned(story, 'shared');
  await story.attachment('a', volume, 1);
  await story.attached('a');
  return { story, first, volume, share: disk };
};

const allowed = ({ sim }: Story, share: string): readonly string[] =>
  (sim.volumes.get(share)?.netPermissions ?? [])
    .filter(({ permissions }) => permissions !== 'NO_ACCESS')
    .map(({ ips }) => ips ?? '');

/** What the cloud provider writes on the Node. */
const nameAddress = ({ client }: Story, ...ips: readonly string[]) => {
  const body = { status: { addresses: ips.map((address) => ({ type: 'InternalIP', address })) } };
  return client.patch(nodes, { name: 'node-1' }, { type: 'merge', body }, { subresource: 'status' });
};

/** The attachment ends under another controller: what the first one remembers of the VM does not count. */
const unpublish = async (story: Story, first: { stop(): void }): Promise<void> => {
  first.stop();
  await story.advance(1_000);
  story.start('replica-2');
  await story.deleteAttachment('a');
  await story.until('the attachment is gone', async () => (await story.getAttachment('a')) === undefined);
  await story.advance(60_000);
};

describe('story 17: a share lets in nobody whom it is not published to', () => {
  it('although the address of the node has changed', async () => {
    const { story, first, share } = await openWithShare();
    story.sim.control.setIps('node-1', 0, ['10.10.0.99']);
    await unpublish(story, first);
    const left = allowed(story, share);
    promise(left.length === 0, `${left.join(' and ')} may still mount the share: the address changed`);
  });

  it('although the VM of the node is gone', async () => {
    const { story, first, share } = await openWithShare();
    story.sim.control.deleteVm('node-1');
    await unpublish(story, first);
    const left = allowed(story, share);
    promise(left.length === 0, `${left.join(' and ')} may still mount the share: the VM is gone`);
  });

  it.each(['no volumes', 'all but the share'])('although CNS shows %s when its attachment goes', async (shown) => {
    const { story, share } = await openWithShare();
    const show = story.sim.control.hideVolumes(({ id }) => shown === 'no volumes' || id === share);
    await story.deleteAttachment('a');
    await story.advance(60_000);
    show();
    await story.until('the attachment is gone', async () => (await story.getAttachment('a')) === undefined);
    const left = allowed(story, share);
    promise(left.length === 0, `${left.join(' and ')} may still mount the share: CNS did not show it`);
  });

  it('and follows a node to its new address', async () => {
    const { story, share } = await openWithShare();
    await nameAddress(story, '10.10.0.11');
    story.sim.control.setIps('node-1', 0, ['10.10.0.99']);
    await nameAddress(story, '10.10.0.99');
    await story.until('the new address is let in', () => allowed(story, share).includes('10.10.0.99'));
    await story.advance(60_000);
    const left = allowed(story, share);
    promise(left.join() === '10.10.0.99', `${left.join(' and ')} may mount the share: the address changed`);
  });

  it('although the former address of a node could not be taken back at once', async () => {
    const { story, first, share } = await openWithShare();
    await nameAddress(story, '10.10.0.11');
    const heal = first.onVCenter((request, next) =>
      String(request.body ?? '').includes('<delete>true</delete>') ? requestLost(request, next) : next(request),
    );
    story.sim.control.setIps('node-1', 0, ['10.10.0.99']);
    await nameAddress(story, '10.10.0.99');
    await story.until('the new address is let in', () => allowed(story, share).includes('10.10.0.99'));
    await story.advance(5_000);
    first.kill();
    heal();
    story.start('replica-2');
    await story.advance(120_000);
    const left = allowed(story, share);
    promise(left.join() === '10.10.0.99', `${left.join(' and ')} may mount the share: the address changed`);
  });

  it('and follows a node to its new address, although its PersistentVolume is being deleted', async () => {
    const { story, share, volume } = await openWithShare();
    await nameAddress(story, '10.10.0.11');
    // The claim is in use: the object stays until that goes.
    await story.deleteVolume(volume);
    story.sim.control.setIps('node-1', 0, ['10.10.0.99']);
    await nameAddress(story, '10.10.0.99');
    await story.advance(60_000);
    const left = allowed(story, share);
    promise(left.join() === '10.10.0.99', `${left.join(' and ')} may mount the share: the address changed`);
  });

  it('and takes an address back that the Node names no longer, although it has no new one', async () => {
    const { story, share } = await openWithShare();
    await nameAddress(story, '10.10.0.11');
    story.sim.control.setIps('node-1', 0, ['10.10.0.99']);
    await nameAddress(story, '10.10.0.11', '10.10.0.99');
    await story.until('the new address is let in', () => allowed(story, share).includes('10.10.0.99'));
    await story.advance(30_000);
    await nameAddress(story, '10.10.0.99');
    await story.advance(60_000);
    const left = allowed(story, share);
    promise(left.join() === '10.10.0.99', `${left.join(' and ')} may mount the share: the address went`);
  });

  it('and keeps an address that the Node still has, whatever VMware Tools say', async () => {
    const { story, share } = await openWithShare();
    await nameAddress(story, '10.10.0.11');
    story.sim.control.setIps('node-1', 0, ['10.10.0.99']);
    await nameAddress(story, '10.10.0.11', '10.10.0.99');
    await story.until('the new address is let in', () => allowed(story, share).includes('10.10.0.99'));
    await story.advance(60_000);
    promise(allowed(story, share).includes('10.10.0.11'), 'a node lost access to a share that it mounts');
  });

  it('but leaves a node in that has the share by another volume', async () => {
    const { story, share, volume } = await openWithShare();
    const { spec } = await story.client.get(persistentVolumes, { name: volume });
    const { claimRef: _, ...rest } = spec;
    await story.makeVolume({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'second' },
      spec: { ...rest, persistentVolumeReclaimPolicy: 'Retain' },
    });
    await story.attachment('b', 'second', 1);
    await story.attached('b');
    await story.deleteAttachment('a');
    await story.until('the first is gone', async () => (await story.getAttachment('a')) === undefined);
    promise(allowed(story, share).includes('10.10.0.11'), 'a node lost access to a share that it mounts');
    await story.deleteAttachment('b');
    await story.until('the second is gone', async () => (await story.getAttachment('b')) === undefined);
    promise(allowed(story, share).length === 0, 'a node that has left may still mount the share');
  });
});

describe('a share is not deleted while a node has it', () => {
  it('although a new leader has not heard of the attachment', async () => {
    const story = await openStory({ csi: { netPermissions: [nobody] } });
    const first = story.start('replica-1');
    await story.claim('shared', 'vsphere', { accessModes: ['ReadWriteMany'] });
    const { volume, disk: share } = await provisioned(story, 'shared');
    const second = story.start('replica-2');
    await story.advance(5_000);
    const repair = second.hangWatches(/volumeattachments/);
    await story.attachment('a', volume, 1);
    await story.attached('a');
    first.kill();
    await story.deleteClaim('shared');
    await story.advance(120_000);
    promise(story.diskExists(share), 'a share was deleted while a node had it');
    repair();
    await story.deleteAttachment('a');
    // A stream that hangs is given up after three minutes.
    await story.advance(200_000);
    await story.until('the share is gone', () => !story.diskExists(share));
  });
});
