import type { CnsClient } from './cns/cns-client.ts';
import type { HasDestructiveCalls } from './destructive/destructive-calls.ts';
import type { Datacenters } from './inventory/datacenters.ts';
import type { NodeInventory } from './inventory/node-inventory.ts';
import type { Placement } from './inventory/placement.ts';
import type { TopologyReader } from './inventory/topology-reader.ts';
import type { VmExistence } from './inventory/vm-existence.ts';
import type { RecentTasks } from './tasks/recent-tasks.ts';

export type { Credentials, CredentialsSource } from './session/credentials.ts';

export interface AboutInfo {
  /** `8.0.3`, `7.0.3`, `6.7.3`. */
  readonly version: string;
  readonly build: string;
  readonly apiVersion: string;
  readonly instanceUuid: string;
  readonly fullName: string;
  readonly apiType: string;
}

/** One vCenter as the programs use it: one SOAP and one REST session behind it, shared by everything here. */
export interface VCenter extends HasDestructiveCalls {
  /** Name in facts, logs and metrics: the host, unless a name was configured. */
  readonly server: string;
  /** Needs no login. */
  about(options?: { readonly signal?: AbortSignal }): Promise<AboutInfo>;
  /** Makes sure that there is a session. Other calls log in automatically; this one is to check that the login works. */
  login(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** The instance UUID of the vCenter, independent of its name, from the present login. */
  instanceUuid(options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** Product information from the present login; makes no call. */
  product(options?: { readonly signal?: AbortSignal }): Promise<AboutInfo>;
  readonly nodes: NodeInventory;
  readonly datacenters: Datacenters;
  readonly existence: VmExistence;
  readonly topology: TopologyReader;
  readonly placement: Placement;
  readonly cns: CnsClient;
  readonly tasks: RecentTasks;
  /** Logs out; safe to call twice. */
  close(): Promise<void>;
}
