import type { Attempt } from '@vdo/acts/attempt';
import type { Answer, Current, Evidence } from '@vdo/acts/evidence';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { DeletionPermit } from './cluster-evidence.ts';
import type { CsiVCenter } from './csi-vcenter.ts';

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

declare module '@vdo/csi-proto/rpc/call-context' {
  interface CallContext {
    /** Of a deletion by a loop of this program. Others are asked for over the socket, and what they may is found out here. */
    readonly permission?: DeletionPermission;
  }
}

/** What shows that nobody wants a volume whose creation did not come to its end. */
export interface AbandonProof {
  readonly attempt: Attempt;
  readonly current: Current<PersistentVolume>;
  /** That there is neither claim nor PersistentVolume. */
  readonly because: readonly Evidence[];
}
