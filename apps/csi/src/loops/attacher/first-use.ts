import { annotationKeys } from '@vdo/config/names';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { contextKeys } from '../../driver.ts';
import { claimUidOf } from '../../volumes/volume-id.ts';
import { attacherFinalizer } from './decide-attachment.ts';

/**
 * True if nobody can have written to the disk before this attachment. That it was created empty is written in the PersistentVolume for
 * ever; what ends with the first attachment is that the attacher's finalizer, which every release and the upstream attacher set and keep,
 * is missing. From then on the annotation tells which attachment it was. A PersistentVolume that a person or a backup made anew is not
 * the one that was provisioned for its claim, whatever it says.
 */
export const isFirstUse = ({ metadata, spec }: PersistentVolume, attachment: VolumeAttachment): boolean => {
  const { uid } = attachment.metadata;
  if (uid === undefined || spec.csi?.volumeAttributes?.[contextKeys.blank] !== 'true') return false;
  const claimUid = claimUidOf(metadata.name ?? '');
  if (claimUid === undefined || spec.claimRef?.uid !== claimUid) return false;
  const first = metadata.annotations?.[annotationKeys.firstAttachment];
  return first === undefined ? !metadata.finalizers?.includes(attacherFinalizer) : first === uid;
};
