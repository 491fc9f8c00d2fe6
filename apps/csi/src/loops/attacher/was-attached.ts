import type { ManagedFieldsEntry } from '@vdo/kube/types/object';
import type { VolumeAttachment } from '@vdo/kube/types/storage';

/** Who writes the status without changing `attached` does not get it: a server says of each object that it is not, from the start. */
const hasChangedAttached = ({ subresource, fieldsV1 }: ManagedFieldsEntry): boolean => {
  const status = subresource === 'status' ? fieldsV1?.['f:status'] : undefined;
  return typeof status === 'object' && status !== null && 'f:attached' in status;
};

/**
 * Whether the disk was seen attached, now or before: then no attach of it is under way. v0.1.0 and older upstream attachers write that it is
 * detached before they take the finalizer off; if they die between, only the server's record of who wrote which field tells such an
 * attachment from one that never was attached. An error means that somebody has tried something since. Takes the object as the server
 * has it: an informer drops that record.
 */
export const wasAttached = ({ metadata, status }: VolumeAttachment): boolean => {
  if (status?.attached) return true;
  if (status?.attachError || status?.detachError) return false;
  return (metadata.managedFields ?? []).some(hasChangedAttached);
};
