import type { Fence } from '@vdo/base/fence';
import type { Span } from '@vdo/base/traces';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Inherited } from './attach-doubts.ts';
import type { DeletionPermission, DetachPermit, PermitSnapshotDeletion } from './permissions.ts';

/** Context of every operation. Evidence that the caller does not provide is read by the operation. */
export interface CallContext {
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** Limits operations in progress: a vCenter operation must not be interrupted by the deadline of its caller. */
  readonly lifetime: AbortSignal;
  /** Checked right before vCenter is changed: the Lease of the calling loop. For a gRPC caller, which holds its own Lease, the fence is open. */
  readonly fence: Fence;
  /** The operation as a part of its trace. */
  readonly span?: Span;
  /** For an attachment: called with vCenter's task as soon as it is known. */
  readonly onTask?: (task: MoRef) => void;
  /** For a detachment: an earlier process may have requested the attachment, and it may still be in progress. */
  readonly mayBeUnderWay?: Inherited;
  /** For a detachment: the cluster's name for the volume if it is not the ID but the path of the disk. */
  readonly handle?: string;
  /** For a detachment by a loop of this program. */
  readonly detaching?: DetachPermit;
  /** For a deletion by a loop of this program. */
  readonly permission?: DeletionPermission;
  /** For the deletion of a snapshot by a loop of this program. */
  readonly permitSnapshotDeletion?: PermitSnapshotDeletion;
}
