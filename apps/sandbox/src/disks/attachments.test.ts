import { persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { createSimWorld } from '@vdo/sim-world/create-sim-world';
import { describe, expect, it } from 'vitest';
import { attachmentsInCluster } from './attachments.ts';

const driver = 'csi.vsphere.vmware.com';

describe('the attachments that a cluster knows of', () => {
  it('are those of our driver that are done, with the size of the volume now', async () => {
    const { client: kube } = createSimWorld({ controllers: false });
    const attach = async (name: string, attacher: string, attached: boolean) => {
      await kube.create(persistentVolumes, {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          csi: { driver: attacher, volumeHandle: `id-of-${name}` },
        },
      });
      await kube.create(volumeAttachments, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name: `of-${name}` },
        spec: { attacher, nodeName: 'node-1', source: { persistentVolumeName: name } },
      });
      const status = { attached, ...(attached ? { attachmentMetadata: { diskUUID: `disk-of-${name}` } } : {}) };
      const patch = { type: 'merge', body: { status } } as const;
      await kube.patch(volumeAttachments, { name: `of-${name}` }, patch, { subresource: 'status' });
    };
    const read = attachmentsInCluster(kube);
    expect(await read()).toEqual([]);
    await attach('ours', driver, true);
    await attach('on-its-way', driver, false);
    await attach('theirs', 'csi.example.com', true);
    const found = { id: 'id-of-ours', diskUuid: 'disk-of-ours', nodeName: 'node-1' };
    expect(await read()).toEqual([{ ...found, bytes: 1024n ** 3n }]);
    const grown = { type: 'merge', body: { spec: { capacity: { storage: '3Gi' } } } } as const;
    await kube.patch(persistentVolumes, { name: 'ours' }, grown);
    expect(await read()).toEqual([{ ...found, bytes: 3n * 1024n ** 3n }]);
  });
});
