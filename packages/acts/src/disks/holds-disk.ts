import { nodeIdAnnotation, type VolumeAttachment } from '@vdo/kube/types/storage';

/** True if the attachment is to stay, and its disk may be on a VM: whoever attaches notes the id of the node before. */
export const holdsDisk = ({ metadata, status }: VolumeAttachment): boolean =>
  metadata.deletionTimestamp === undefined &&
  (metadata.annotations?.[nodeIdAnnotation] !== undefined || (status?.attached ?? false));
