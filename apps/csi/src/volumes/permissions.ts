import type { Attempt } from '@vdo/acts/attempt';
import type { Answer, Current, Evidence, Seen, Written } from '@vdo/acts/evidence';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeSnapshotContent } from '@vdo/kube/types/snapshots';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { CsiVCenter } from './csi-vcenter.ts';

// The evidence that a loop provides when it requests an irreversible act.

/** A PersistentVolume whose disk may be deleted if no other one uses it, according to `current`. */
export interface DeletionPermit {
  readonly attempt: Attempt;
  /** The PersistentVolume as the attempt has written it. The write had its version as a precondition, so it is the one that was decided about. */
  readonly volume: Written<PersistentVolume>;
  /** All PersistentVolumes, at least as new as that write. */
  readonly current: Current<PersistentVolume>;
}

/** The vCenter that has to delete a volume, whether CNS lists it or not, as read in an attempt. */
export interface Whereabouts {
  readonly vcenter: CsiVCenter;
  /** Which vCenter that is. */
  readonly identity: Answer<{ readonly instanceUuid: string }>;
  /** What CNS lists there. */
  readonly volume: Answer<CnsVolume | undefined>;
}

/** The evidence of a loop that requests a deletion. */
export interface DeletionPermission extends DeletionPermit {
  /** Undefined if the loop knows only the path of the disk. */
  readonly where: Whereabouts | undefined;
}

/** The evidence that a volume with an unfinished creation is no longer needed. */
export interface AbandonProof {
  readonly attempt: Attempt;
  readonly current: Current<PersistentVolume>;
  /** The evidence that there is neither a claim nor a PersistentVolume. */
  readonly because: readonly Evidence[];
}

/** All VolumeAttachments, known since an attempt to detach has written to the one that is to be removed or moved. */
export interface DetachPermit {
  readonly attempt: Attempt;
  /** Its version is a precondition of the next write to it. */
  readonly attachment: Written<VolumeAttachment>;
  readonly current: Current<VolumeAttachment>;
}

/** A content whose snapshot may be deleted if no other one uses it, according to `current`. */
export interface ContentPermit {
  readonly content: Seen<VolumeSnapshotContent>;
  readonly current: Current<VolumeSnapshotContent>;
}

/**
 * Records in the content that its snapshot is about to be deleted, and which vCenter has it. Throws if the content has changed since it was
 * decided about.
 */
export type PermitSnapshotDeletion = (attempt: Attempt, instanceUuid: string) => Promise<ContentPermit>;
