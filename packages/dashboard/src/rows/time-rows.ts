import type { ObjectRef } from './attention-row.ts';
import type { Health } from './place-rows.ts';

/** What was done in one interval. Rates and means are made from it where they are shown. */
export interface SampleRow {
  readonly key: string;
  /** When the interval began, in milliseconds since 1970. */
  readonly atMs: number;
  readonly everyMs: number;
  /** Calls to vCenters. */
  readonly calls: number;
  readonly callErrors: number;
  /** Milliseconds that they took together. */
  readonly callMs: number;
  /** Operations on volumes that ended: created, attached, detached, expanded, deleted, snapshots. */
  readonly operations: number;
  readonly operationErrors: number;
  readonly operationMs: number;
}

/** Something that happened while somebody was watching. */
export interface MomentRow {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** `over`: a fault that ended. */
  readonly kind: 'fault' | 'over' | 'release' | 'change' | 'operation';
  readonly health: Health;
  readonly title: string;
  readonly message: string;
  readonly object?: ObjectRef;
  /** How long it took, of an operation. */
  readonly ms?: number;
}
