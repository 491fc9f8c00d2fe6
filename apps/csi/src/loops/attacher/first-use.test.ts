import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { describe, expect, it } from 'vitest';
import { isFirstUse } from './first-use.ts';

const claimUid = '0f6a1f0e-6f43-4b0e-9d0d-5b1a5e3f7c21';
const attachment: VolumeAttachment = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name: 'a', uid: 'attachment-1' },
  spec: { attacher: 'csi.vsphere.vmware.com', nodeName: 'node-1', source: { persistentVolumeName: `pvc-${claimUid}` } },
};
interface Past {
  readonly metadata?: Partial<PersistentVolume['metadata']>;
  readonly claimRef?: { readonly uid?: string };
  readonly attributes?: Readonly<Record<string, string>>;
}
const volumeOf = ({ metadata = {}, claimRef = { uid: claimUid }, attributes = blank }: Past): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `pvc-${claimUid}`, ...metadata },
  spec: { claimRef, csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'disk', volumeAttributes: attributes } },
});
const blank = { 'vdo.vmware.com/blank': 'true' };
const held = ['external-attacher/csi-vsphere-vmware-com'];
const first = (uid: string) => ({ 'vdo.vmware.com/first-attachment': uid });

describe('nobody can have written to a volume', () => {
  it.each<readonly [string, Past]>([
    ['that was made empty and never attached', {}],
    ['whose first attachment is tried again', { metadata: { finalizers: held, annotations: first('attachment-1') } }],
  ])('%s', (_name, past) => expect(isFirstUse(volumeOf(past), attachment)).toBe(true));
});

describe('somebody may have written to a volume', () => {
  it.each<readonly [string, Past]>([
    ['that was attached before', { metadata: { finalizers: held, annotations: first('attachment-0') } }],
    ['that a release without the annotation, or another attacher, has attached', { metadata: { finalizers: held } }],
    ['whose finalizer somebody has removed', { metadata: { annotations: first('attachment-0') } }],
    ['that is a copy', { attributes: { 'vdo.vmware.com/blank': 'false' } }],
    ['of which nothing is said', { attributes: {} }],
    ['whose PersistentVolume was restored for another claim', { claimRef: { uid: 'another' } }],
    ['whose PersistentVolume was restored for no claim', { claimRef: {} }],
    ['whose PersistentVolume a person has made', { metadata: { name: 'by-hand' } }],
  ])('%s', (_name, past) => expect(isFirstUse(volumeOf(past), attachment)).toBe(false));

  it('for which an attachment has no identity', () => {
    const { uid: _uid, ...metadata } = attachment.metadata;
    expect(isFirstUse(volumeOf({}), { ...attachment, metadata })).toBe(false);
  });
});
