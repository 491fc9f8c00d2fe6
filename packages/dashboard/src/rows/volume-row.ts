import type { Row } from './place-rows.ts';

export interface AttachmentFact {
  readonly node: string;
  readonly state: 'attached' | 'attaching' | 'detaching';
  /** Since when it is in that state; of an attached one, since when it was asked for if nobody saw it attached. */
  readonly sinceMs: number;
  readonly error?: string;
}

export interface PodFact {
  readonly namespace: string;
  readonly name: string;
  readonly node?: string;
  readonly phase: string;
}

export interface SnapshotFact {
  /** `namespace/name`. */
  readonly name: string;
  readonly ready: boolean;
  readonly createdMs: number;
  readonly size?: number;
  readonly error?: string;
  /** Claims that were made from it, `namespace/name`. */
  readonly restored: readonly string[];
}

/** A step of an operation. */
export interface Step {
  readonly name: string;
  /** When it was done, in milliseconds since 1970; absent: it is not, or nobody noted when. */
  readonly atMs?: number;
  /** vCenter's name of a task. */
  readonly task?: string;
}

/** Something that the drivers are doing for a volume right now. */
export interface Operation {
  readonly what: 'create' | 'attach' | 'mount' | 'detach' | 'expand' | 'delete' | 'snapshot';
  /** All steps of it, and how many are done. */
  readonly steps: readonly Step[];
  readonly done: number;
  readonly sinceMs: number;
  readonly on?: string;
  readonly error?: string;
}

/** A PersistentVolume of the driver, a claim that waits for one, or a disk that no PersistentVolume knows. */
export interface VolumeRow extends Row {
  readonly kind: 'volume' | 'claim' | 'orphan';
  readonly uid?: string;
  readonly phase: string;
  /** `namespace/name`. */
  readonly claim?: string;
  readonly claimUid?: string;
  readonly storageClass?: string;
  readonly policy?: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes that the claim asks for, if that is another number. */
  readonly wanted?: number;
  readonly reclaim?: string;
  readonly mode?: string;
  readonly access: readonly string[];
  readonly createdMs?: number;
  /** As the driver knows it: the id of the disk, or `file:` and the id of the share. */
  readonly handle?: string;
  readonly vcenter?: string;
  readonly datastore?: string;
  readonly path?: string;
  /** vCenter's own word: green, yellow, red. */
  readonly diskHealth?: string;
  readonly attachments: readonly AttachmentFact[];
  readonly pods: readonly PodFact[];
  readonly snapshots: readonly SnapshotFact[];
  /** What it was made from, such as `VolumeSnapshot shop/nightly`. */
  readonly origin?: string;
  readonly operations: readonly Operation[];
  /** Of an orphan: why it is called one. */
  readonly evidence?: readonly string[];
}
