import { annotationKeys } from '@vdo/config/names';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { contextKeys } from '../../driver.ts';
import { claimUidOf } from '../../volumes/volume-id.ts';
import { attacherFinalizer } from './decide-attachment.ts';

/**
 * True if no data can have been written to the disk before this attachment. The PersistentVolume permanently records that the disk was
 * created empty. Before the first attachment the attacher's finalizer is missing; every release and the upstream csi-attacher set it then
 * and keep it. After that the annotation records which attachment was the first. A PersistentVolume that a person or a backup tool created
 * again is not the one that was provisioned for its claim, so its records are not trusted.
 */
export const isFirstUse = ({ metadata, spec }: PersistentVolume, attachment: VolumeAttachment): boolean => {
  const { uid } = attachment.metadata;
  if (uid === undefined || spec.csi?.volumeAttributes?.[contextKeys.blank] !== 'true') return false;
  const claimUid = claimUidOf(metadata.name ?? '');
  if (claimUid === undefined || spec.claimRef?.uid !== claimUid) return false;
  const first = metadata.annotations?.[annotationKeys.firstAttachment];
  return first === undefined ? !metadata.finalizers?.includes(attacherFinalizer) : first === uid;
};
