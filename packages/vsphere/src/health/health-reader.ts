import type { Ancestors } from '../inventory/ancestors.ts';
import type { VmFacts } from '../inventory/node-inventory.ts';
import type { HostFacts } from '../inventory/node-places.ts';
import type { DatastoreFacts } from '../inventory/placement.ts';
import type { UnreadableValue } from '../session/unreadable-values.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { MoRef } from '../wire/moref.ts';

/** A VM with what decides whether the drivers can work with it. */
export interface VmHealth extends VmFacts {
  /** 19 of `vmx-19`; 0 if vCenter does not tell. */
  readonly hardwareVersion: number;
  /** The guest sees the UUIDs of its disks. */
  readonly diskUuidEnabled: boolean;
  /** Names of the snapshots, parents before children. */
  readonly snapshots: readonly string[];
  readonly consolidationNeeded: boolean;
}

/** Places for disks on the SCSI controllers of a VM. */
export interface ScsiSlots {
  readonly controllers: number;
  /** Of these, paravirtual ones. */
  readonly paravirtual: number;
  readonly total: number;
  readonly used: number;
}

export interface HostHealth extends HostFacts {
  /** ESXi version, `8.0.3`; empty if vCenter does not tell. */
  readonly version: string;
  readonly apiVersion: string;
  readonly build: string;
  /** The cluster, or the compute resource of a host that stands alone. */
  readonly parent: MoRef | undefined;
}

export interface DatastoreHealth extends DatastoreFacts {
  /** Hosts that can write to it. */
  readonly writableHosts: readonly MoRef[];
}

export interface SessionHealth {
  readonly key: string;
  readonly userName: string;
  readonly userAgent: string;
  readonly lastActiveMs: number;
}

export interface TagOnObject {
  readonly category: string;
  readonly tag: string;
}

/**
 * What health checks read of a vCenter, each for many objects in few calls. Maps are keyed by `morefKey`; what is gone
 * or hidden is left out.
 */
export interface HealthReader {
  rootFolder(options?: CallOptions): Promise<MoRef>;
  /** The time of the vCenter, in milliseconds since 1970. */
  clock(options?: CallOptions): Promise<number>;
  /** Everyone who is logged in; undefined if this user may not see it, which needs Sessions.TerminateSession. */
  sessions(options?: CallOptions): Promise<readonly SessionHealth[] | undefined>;
  vms(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, VmHealth>>;
  slots(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, ScsiSlots>>;
  hosts(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, HostHealth>>;
  datastores(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, DatastoreHealth>>;
  /** The objects and everything above them. */
  ancestors(refs: readonly MoRef[], options?: CallOptions): Promise<Ancestors>;
  tags(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, readonly TagOnObject[]>>;
  /** What vCenter sent of late that cannot be read, and was left out of its replies. Makes no call. */
  unreadable(): readonly UnreadableValue[];
  /** Names of the tag categories there are. */
  categories(options?: CallOptions): Promise<readonly string[]>;
}
