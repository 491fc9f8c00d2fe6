import { nodeIdAnnotation, type VolumeAttachment } from '@vdo/kube/types/storage';

/** True if the attachment is not being deleted and its disk may be attached to a VM: the node ID is recorded before the disk is attached. */
export const holdsDisk = ({ metadata, status }: VolumeAttachment): boolean =>
  metadata.deletionTimestamp === undefined &&
  (metadata.annotations?.[nodeIdAnnotation] !== undefined || (status?.attached ?? false));
