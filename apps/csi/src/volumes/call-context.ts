import type { Fence } from '@vdo/base/fence';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Inherited } from './attach-doubts.ts';
import type { DeletionPermission, DetachPermit, PermitSnapshotDeletion } from './permissions.ts';

/** What every operation is given besides what is asked for. What a caller has not shown himself is found out for him. */
export interface CallContext {
  /** Aborted when the caller gave up waiting. */
  readonly signal: AbortSignal;
  /** How long work that was begun may go on: a caller's deadline must not tear a vCenter operation in half. */
  readonly lifetime: AbortSignal;
  /** Checked right before vCenter is changed: the Lease of the loop that asks, or an open fence for a gRPC caller, who holds his own. */
  readonly fence: Fence;
  /** Of an attachment: told vCenter's task as soon as that is known. */
  readonly onTask?: (task: MoRef) => void;
  /** Of a detachment: somebody else, who is not there any more, may have asked for the attachment, and it may not have ended. */
  readonly mayBeUnderWay?: Inherited;
  /** Of a detachment: what the cluster calls the volume, if that is not its id: the path of its disk. */
  readonly handle?: string;
  /** Of a detachment by a loop of this program. */
  readonly detaching?: DetachPermit;
  /** Of a deletion by a loop of this program. */
  readonly permission?: DeletionPermission;
  /** Of the deletion of a snapshot by a loop of this program. */
  readonly permitSnapshotDeletion?: PermitSnapshotDeletion;
}
