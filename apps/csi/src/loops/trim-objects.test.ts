import type { PersistentVolumeClaim } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { createTrimmer } from './trim-objects.ts';

const claim = (index: number): PersistentVolumeClaim =>
  JSON.parse(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: `data-${index}`,
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': '{"kind":"PersistentVolumeClaim"}',
          'volume.kubernetes.io/storage-provisioner': 'csi.vsphere.vmware.com',
        },
        finalizers: ['kubernetes.io/pvc-protection'],
      },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Bound', conditions: null },
    }),
  );

describe('what informers keep', () => {
  it('is everything but what kubectl wrote for itself', () => {
    const { metadata, ...rest } = claim(1);
    const trim = createTrimmer()(claim(1));
    expect(trim).toEqual({
      ...rest,
      metadata: {
        ...metadata,
        annotations: { 'volume.kubernetes.io/storage-provisioner': 'csi.vsphere.vmware.com' },
      },
    });
  });

  it('is untouched where there is nothing to drop', () => {
    const bare = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'a' } };
    expect(createTrimmer()({ ...bare })).toEqual(bare);
  });

  it('remembers no more words than it is told to, however many names there are', () => {
    const trim = createTrimmer(3);
    const names = Array.from({ length: 50 }, (_, index) => trim(claim(index)).metadata.name);
    expect(names).toEqual(Array.from({ length: 50 }, (_, index) => `data-${index}`));
  });
});
