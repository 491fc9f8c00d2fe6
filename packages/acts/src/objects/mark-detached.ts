import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { patchSeen } from '../internal/patch-seen.ts';
import { perform } from '../internal/perform.ts';

/**
 * Says that a volume is not attached any more, and lets its VolumeAttachment go. Kubernetes then gives the volume to others, so
 * `because` must show that the disk is not on the VM.
 */
export const markDetached = (
  attempt: Attempt,
  attachment: Seen<VolumeAttachment>,
  { finalizer, because }: { readonly finalizer: string; readonly because: readonly [Evidence, ...Evidence[]] },
): Promise<VolumeAttachment | undefined> =>
  perform(attempt, [attachment, ...because], async (sending) => {
    const status = { attached: false, attachmentMetadata: null, detachError: null };
    const isAttached = attachment.object.status?.attached;
    const detached = isAttached
      ? await patchSeen(attachment, { status }, { ...sending, subresource: 'status' })
      : attachment.object;
    if (!detached) return undefined;
    const finalizers = (detached.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    // The version is the one that the first patch returned: nobody came between.
    const { resourceVersion = attachment.resourceVersion } = detached.metadata;
    return patchSeen({ ...attachment, resourceVersion }, { metadata: { finalizers } }, sending);
  });
