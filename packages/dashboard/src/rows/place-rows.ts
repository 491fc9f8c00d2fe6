import type { ObjectRef } from './attention-row.ts';

export type Health = 'good' | 'warn' | 'bad' | 'unknown';

/** What every row has: a key that never changes, and how it is. */
export interface Row {
  readonly key: string;
  readonly name: string;
  readonly health: Health;
  /** What a reader should know; empty if nothing. */
  readonly note: string;
}

export interface NodeRow extends Row {
  readonly uid?: string;
  readonly ips: readonly string[];
  /** UUID of the VM, from the provider id. */
  readonly uuid?: string;
  readonly kubelet?: string;
  readonly zone?: string;
  readonly region?: string;
  /** Name of the VM. */
  readonly vm?: string;
  readonly host?: string;
  /** Empty: the host is in no cluster. */
  readonly cluster?: string;
  readonly datacenter?: string;
  readonly vcenter?: string;
  /** Places for disks, and how many are taken. */
  readonly slots?: { readonly used: number; readonly total: number };
}

export interface HostRow extends Row {
  readonly vcenter: string;
  readonly cluster?: string;
  readonly datacenter?: string;
  readonly version?: string;
}

export interface DatastoreRow extends Row {
  readonly vcenter: string;
  readonly url: string;
  readonly type: string;
  readonly capacity: number;
  readonly free: number;
  /** Names of the hosts of nodes that mount it. */
  readonly hosts: readonly string[];
  /** How much more is used than some hours before; absent: not known. */
  readonly growth?: { readonly bytes: number; readonly sinceMs: number; readonly untilMs: number };
}

/** A storage policy, or a StorageClass without one. */
export interface PolicyRow extends Row {
  readonly classes: readonly { readonly name: string; readonly isDefault: boolean }[];
  /** Names of the datastores that satisfy it; absent if not known. */
  readonly datastores?: readonly string[];
}

export interface EventRow {
  readonly key: string;
  readonly time: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly object: ObjectRef;
  readonly message: string;
  readonly count: number;
}
