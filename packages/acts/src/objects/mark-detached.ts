import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { patchSeen } from '../internal/patch-seen.ts';
import { perform } from '../internal/perform.ts';

/**
 * Marks a volume as detached and removes the finalizer of its VolumeAttachment. Kubernetes can then attach the volume elsewhere, so
 * `because` must prove that the disk is not attached to the VM. If there is no other finalizer, both are done with one write: an attachment
 * that is marked as detached but still has this finalizer would look to the next leader like one that is still being attached.
 */
export const markDetached = (
  attempt: Attempt,
  attachment: Seen<VolumeAttachment>,
  { finalizer, because }: { readonly finalizer: string; readonly because: readonly [Evidence, ...Evidence[]] },
): Promise<VolumeAttachment | undefined> =>
  perform(attempt, [attachment, ...because], async (sending) => {
    const { metadata, status } = attachment.object;
    const finalizers = (metadata.finalizers ?? []).filter((name) => name !== finalizer);
    const detached = { attached: false, attachmentMetadata: null, detachError: null };
    const stays = metadata.deletionTimestamp === undefined || finalizers.length > 0;
    const reported =
      status?.attached && stays
        ? await patchSeen(attachment, { status: detached }, { ...sending, subresource: 'status' })
        : attachment.object;
    if (!reported) return undefined;
    // The version is the one that the first patch returned, so nothing was changed in between.
    const { resourceVersion = attachment.resourceVersion } = reported.metadata;
    return patchSeen({ ...attachment, resourceVersion }, { metadata: { finalizers } }, sending);
  });
