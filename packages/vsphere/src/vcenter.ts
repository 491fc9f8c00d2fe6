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
  /** What facts, logs and metrics call it: the host unless it was given a name. */
  readonly server: string;
  /** Needs no login. */
  about(options?: { readonly signal?: AbortSignal }): Promise<AboutInfo>;
  /** Makes sure there is a session. Later calls log in by themselves; this one is for showing that it works. */
  login(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Which vCenter it is, whatever its name: as of the login that is used. */
  instanceUuid(options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** What it is, as of the login that is used: no call is made for it. */
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
