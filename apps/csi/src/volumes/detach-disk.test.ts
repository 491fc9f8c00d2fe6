import { persistentVolumes } from '@vdo/kube/types/core';
import { nodeIdAnnotation, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDomainTestbed, type DomainTestbed, nodeId } from '../testing/domain-testbed.ts';

let testbed: DomainTestbed;
beforeEach(() => {
  testbed = createDomainTestbed();
});
afterEach(() => testbed.close());

const holders = () => testbed.sim.volumes.list().map(({ attachedTo }) => attachedTo !== undefined);

/** What the upstream attacher, which notes no handle, and people have made for a volume that is on node-1. */
const attachment = async (
  handle: string,
  { name = 'a', volume = 'pv', leaves = false }: { name?: string; volume?: string; leaves?: boolean },
): Promise<void> => {
  const { kube } = testbed;
  await kube.create(persistentVolumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volume },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: handle },
    },
  });
  await kube.create<VolumeAttachment>(volumeAttachments, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name, finalizers: ['example.com/held'], annotations: { [nodeIdAnnotation]: nodeId(1) } },
    spec: { attacher: 'csi.vsphere.vmware.com', nodeName: 'node-1', source: { persistentVolumeName: volume } },
  });
  if (leaves) await kube.delete(volumeAttachments, { name });
  await testbed.clock.advance(1_000);
};

describe('a disk that a caller over the socket detaches', () => {
  it('goes if no attachment names it, several by one call to vCenter and one list', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push((await testbed.create(name)).volumeId);
    for (const id of ids) await testbed.publish(id, 1);
    testbed.sim.recorder.clear();
    await Promise.all(ids.map((id) => testbed.unpublish(id, 1)));
    expect(holders()).toEqual([false, false, false]);
    expect(testbed.sim.recorder.count('CnsDetachVolume')).toBe(1);
  });

  it('goes with the attachment that leaves', async () => {
    const { volumeId } = await testbed.create('data');
    await testbed.publish(volumeId, 1);
    await attachment(volumeId, { leaves: true });
    await testbed.unpublish(volumeId, 1);
    expect(holders()).toEqual([false]);
  });

  it.each([
    ['one that wants it there', false],
    ['one that leaves, beside one of another PersistentVolume that wants it there', true],
  ])('stays where the cluster has %s', async (_, leaves) => {
    const { volumeId } = await testbed.create('data');
    await testbed.publish(volumeId, 1);
    await attachment(volumeId, { leaves });
    if (leaves) await attachment(volumeId, { name: 'b', volume: 'second' });
    await expect(testbed.unpublish(volumeId, 1)).rejects.toMatchObject({ code: 'ActRefused' });
    expect(holders()).toEqual([true]);
  });
});
