import type { Attempt } from '@vdo/acts/attempt';
import type { Answer, Current, Evidence, Seen, Written } from '@vdo/acts/evidence';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeSnapshotContent } from '@vdo/kube/types/snapshots';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { CsiVCenter } from './csi-vcenter.ts';

// What a loop has shown before it asks for something that cannot be undone.

/** A PersistentVolume whose disk may be deleted if it alone has it, which `current` tells. */
export interface DeletionPermit {
  readonly attempt: Attempt;
  /** As the attempt has written it: its version is a precondition, so it is the one that was decided about. */
  readonly volume: Written<PersistentVolume>;
  /** All PersistentVolumes, no older than that. */
  readonly current: Current<PersistentVolume>;
}

/** The vCenter that has to delete a volume, whether or not CNS shows it, as far as an attempt has asked. */
export interface Whereabouts {
  readonly vcenter: CsiVCenter;
  /** Which vCenter that is. */
  readonly identity: Answer<{ readonly instanceUuid: string }>;
  /** What CNS shows there. */
  readonly volume: Answer<CnsVolume | undefined>;
}

/** What a loop has shown that asks for a deletion. */
export interface DeletionPermission extends DeletionPermit {
  /** Undefined if it knows the disk only by its path. */
  readonly where: Whereabouts | undefined;
}

/** What shows that nobody wants a volume whose creation did not come to its end. */
export interface AbandonProof {
  readonly attempt: Attempt;
  readonly current: Current<PersistentVolume>;
  /** That there is neither claim nor PersistentVolume. */
  readonly because: readonly Evidence[];
}

/** What is known of all VolumeAttachments since an attempt to detach has written into the one that is to go, or to move. */
export interface DetachPermit {
  readonly attempt: Attempt;
  /** Its version is a precondition of whatever is written into it next. */
  readonly attachment: Written<VolumeAttachment>;
  readonly current: Current<VolumeAttachment>;
}

/** A content whose snapshot may be deleted if it alone has it, which `current` tells. */
export interface ContentPermit {
  readonly content: Seen<VolumeSnapshotContent>;
  readonly current: Current<VolumeSnapshotContent>;
}

/**
 * Writes into the content that its snapshot is about to be deleted, and which vCenter has it. Throws if it is not the one that was
 * decided about any more.
 */
export type PermitSnapshotDeletion = (attempt: Attempt, instanceUuid: string) => Promise<ContentPermit>;
