import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { patchSeen } from '../internal/patch-seen.ts';
import { perform } from '../internal/perform.ts';

/**
 * Says that a volume is not attached any more, and lets its VolumeAttachment go. Kubernetes then gives the volume to others, so
 * `because` must show that the disk is not on the VM. Where nobody else holds the VolumeAttachment it goes with one write: detached, and
 * still held by this finalizer, it would look to a successor like one whose attach is still under way.
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
    // The version is the one that the first patch returned: nobody came between.
    const { resourceVersion = attachment.resourceVersion } = reported.metadata;
    return patchSeen({ ...attachment, resourceVersion }, { metadata: { finalizers } }, sending);
  });
