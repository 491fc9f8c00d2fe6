import type { MoRef } from '../wire/moref.ts';

/**
 * The identification of a node. The keys are tried in this order, and the first that finds exactly one VM is used. If a UUID is given, names and
 * addresses only decide between several VMs with that UUID.
 */
export interface NodeQuery {
  /** The caller's name for the node: results are keyed by it. */
  readonly key: string;
  /** BIOS UUID as the guest reports it; firmware may swap the bytes of its first three groups, both orders are tried. */
  readonly uuid?: string;
  /** What vCenter itself tells VMs apart by; stays unique where clones share a BIOS UUID. */
  readonly instanceUuid?: string;
  /** Guest host names, short or fully qualified, any case. */
  readonly names?: readonly string[];
  readonly ips?: readonly string[];
}

export interface GuestNic {
  readonly network: string;
  readonly mac: string;
  readonly connected: boolean;
  /** −1 is not a NIC of the VM, but an interface inside the guest (docker0, a CNI bridge). */
  readonly deviceConfigId: number;
  readonly ips: readonly string[];
}

/** The facts about a node's VM, kept up to date by the watch. */
export interface VmFacts {
  readonly server: string;
  readonly ref: MoRef;
  readonly name: string;
  /** BIOS UUID as vCenter stores it, lower case. */
  readonly uuid: string;
  readonly instanceUuid: string;
  readonly powerState: 'poweredOn' | 'poweredOff' | 'suspended';
  readonly toolsRunning: boolean;
  readonly hostName: string | undefined;
  readonly nics: readonly GuestNic[];
  readonly numCpu: number;
  readonly memoryMb: number;
  readonly guestId: string;
  readonly host: MoRef | undefined;
  readonly folder: MoRef | undefined;
  readonly resourcePool: MoRef | undefined;
  /** `guestinfo.*` of extraConfig and `disk.EnableUUID`, if set. */
  readonly extraConfig: Readonly<Record<string, string>>;
}

export type NodeResolution =
  | { readonly state: 'found'; readonly vm: VmFacts }
  | { readonly state: 'not-found'; readonly searched: string }
  | { readonly state: 'ambiguous'; readonly by: string; readonly candidates: readonly string[] };

/** Only the node VMs: they are searched once, and then watched (design decisions 5 and 6). */
export interface NodeInventory {
  /** Resolves many nodes in few calls and watches the VMs that it found. Limited to the given datacenters (names, paths or MOIDs; empty = all). */
  resolve(
    queries: readonly NodeQuery[],
    options?: { readonly datacenters?: readonly string[]; readonly signal?: AbortSignal },
  ): Promise<ReadonlyMap<string, NodeResolution>>;
  /** The latest facts of a watched VM. */
  get(ref: MoRef): VmFacts | undefined;
  onChange(listener: (vm: VmFacts, before: VmFacts) => void): () => void;
  /** A watched VM was deleted, or is hidden from this account. */
  onGone(listener: (vm: VmFacts) => void): () => void;
  /** Keeps the watch alive until aborted: one WaitForUpdatesEx at a time. */
  run(signal: AbortSignal, options?: NodeWatchOptions): Promise<void>;
}

export interface NodeWatchOptions {
  /** How long vCenter waits for changes before it replies "nothing new"; 60 s by default. */
  readonly maxWaitSeconds?: number;
  /** The watch was interrupted: the session or vCenter is lost. It continues automatically; failed attempts are not reported. */
  readonly onInterrupt?: () => void;
  /** The watch works again after an interruption. */
  readonly onRestored?: () => void;
  /** How long it waits at most before it tries an unreachable vCenter again; 30 s by default. */
  readonly maxRetryMs?: number;
}
