import type { HostHealth, ScsiSlots, SessionHealth } from '@vdo/vsphere/health/health-reader';
import type { AboutInfo } from '@vdo/vsphere/vcenter';
import type { MoRef } from '@vdo/vsphere/wire/moref';

/** What one run of gathering stores for the next. */
export interface GatherMemory {
  /** Node name, UUID and where it was searched → its VM, and the folder that it was in. */
  readonly vms: Map<string, { readonly server: string; readonly ref: MoRef; readonly folder: string }>;
  /** Server → its version information, and when it was read. */
  readonly about: Map<string, { readonly value: AboutInfo; readonly atMs: number }>;
  /** Server → the sessions of the account; undefined if it may not list them. */
  readonly sessions: Map<string, { readonly value: readonly SessionHealth[] | undefined; readonly atMs: number }>;
  /** Server → the hosts of its node VMs. */
  readonly hosts: Map<string, { readonly value: ReadonlyMap<string, HostHealth>; readonly atMs: number }>;
  /** Server and VM → its controllers and disks, which are the largest part of what is read. */
  readonly slots: Map<string, { readonly value: ScsiSlots; readonly atMs: number }>;
}

export const createGatherMemory = (): GatherMemory => ({
  vms: new Map(),
  about: new Map(),
  sessions: new Map(),
  hosts: new Map(),
  slots: new Map(),
});
