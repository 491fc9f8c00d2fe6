import type { ManagedFieldsEntry } from '@vdo/kube/types/object';
import type { VolumeAttachment } from '@vdo/kube/types/storage';

/** Only a writer that changes `attached` owns this field: the API server initially sets it to false in each object. */
const hasChangedAttached = ({ subresource, fieldsV1 }: ManagedFieldsEntry): boolean => {
  const status = subresource === 'status' ? fieldsV1?.['f:status'] : undefined;
  return typeof status === 'object' && status !== null && 'f:attached' in status;
};

/**
 * Whether the disk was seen attached, now or earlier: then it is not being attached at the moment. v0.1.0 and older upstream attachers write
 * `attached: false` before they remove the finalizer. If they stop in between, only the managed fields show that the disk was attached
 * before. An error in the status means that there was another attempt since. Needs the object from the API server, because the informer
 * removes managed fields.
 */
export const wasAttached = ({ metadata, status }: VolumeAttachment): boolean => {
  if (status?.attached) return true;
  if (status?.attachError || status?.detachError) return false;
  return (metadata.managedFields ?? []).some(hasChangedAttached);
};
