import type { Ancestors } from '../inventory/ancestors.ts';
import type { VmFacts } from '../inventory/node-inventory.ts';
import type { HostFacts } from '../inventory/node-places.ts';
import type { DatastoreFacts } from '../inventory/placement.ts';
import type { UnreadableValue } from '../session/unreadable-values.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { MoRef } from '../wire/moref.ts';

/** The properties of a VM that decide whether the drivers can work with it. */
export interface VmHealth extends VmFacts {
  /** 19 of `vmx-19`; 0 if vCenter does not report it. */
  readonly hardwareVersion: number;
  /** The guest sees the UUIDs of its disks. */
  readonly diskUuidEnabled: boolean;
  /** Names of the snapshots, parents before children. */
  readonly snapshots: readonly string[];
  readonly consolidationNeeded: boolean;
}

/** Slots for disks on the SCSI controllers of a VM. */
export interface ScsiSlots {
  readonly controllers: number;
  /** The number of paravirtual ones. */
  readonly paravirtual: number;
  readonly total: number;
  readonly used: number;
}

export interface HostHealth extends HostFacts {
  /** ESXi version, `8.0.3`; empty if vCenter does not report it. */
  readonly version: string;
  readonly apiVersion: string;
  readonly build: string;
  /** The cluster, or the compute resource of a standalone host. */
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
 * The data that health checks read from a vCenter, for many objects in few calls. Maps are keyed by `morefKey`; deleted
 * or hidden objects are omitted.
 */
export interface HealthReader {
  rootFolder(options?: CallOptions): Promise<MoRef>;
  /** The time of the vCenter, in milliseconds since 1970. */
  clock(options?: CallOptions): Promise<number>;
  /** All sessions; undefined if this user may not list them, which needs Sessions.TerminateSession. */
  sessions(options?: CallOptions): Promise<readonly SessionHealth[] | undefined>;
  vms(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, VmHealth>>;
  slots(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, ScsiSlots>>;
  hosts(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, HostHealth>>;
  datastores(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, DatastoreHealth>>;
  /** The objects and all their ancestors. */
  ancestors(refs: readonly MoRef[], options?: CallOptions): Promise<Ancestors>;
  tags(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, readonly TagOnObject[]>>;
  /** Values that vCenter sent recently and that were ignored because they could not be read. Makes no call. */
  unreadable(): readonly UnreadableValue[];
  /** Names of all tag categories. */
  categories(options?: CallOptions): Promise<readonly string[]>;
}
