import type { MoRef } from '@vdo/vsphere/wire/moref';

export interface ClaimReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * A volume that is about to be created. Written before vCenter is asked and removed when the volume is known to whoever wanted it,
 * so that a crash at any point can be picked up without guessing (design decision 7).
 */
export interface VolumeIntent {
  /** Name of the CSI request: the key. */
  readonly name: string;
  /** vCenter that was asked. */
  readonly server: string;
  /** Which vCenter that was, whatever has its name now. Absent: an earlier release noted it. */
  readonly instanceUuid?: string;
  /** Size that was asked for. */
  readonly sizeMb: bigint;
  /** When vCenter was asked, milliseconds since the epoch. */
  readonly askedAtMs: number;
  /** Noted of shares. Absent: a disk, or an earlier release noted it. */
  readonly kind?: 'file';
  /** Volume of which a temporary snapshot was taken to copy it. */
  readonly copyOf?: string;
  /** Claim that it is for. Absent: not known here, or an earlier release noted it. */
  readonly claim?: ClaimReference;
  /** The volume, once it was handed over. From then on its disk belongs to whoever has it, and is not deleted because of this note. */
  readonly handedOver?: string;
  /** Whose note it is. Default: ours. */
  readonly of?: 'go-driver';
  /** vCenter's task, once it accepted. Absent: the outcome of the call is not known. */
  readonly task?: MoRef;
}

/** Remembers intents across restarts. Every write is durable when its promise resolves. */
export interface IntentStore {
  get(name: string, options: { readonly signal: AbortSignal }): Promise<VolumeIntent | undefined>;
  /** Writes or replaces. */
  put(intent: VolumeIntent, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Removing what is not there is no error. */
  remove(name: string, options: { readonly signal: AbortSignal }): Promise<void>;
  list(options: { readonly signal: AbortSignal }): Promise<readonly VolumeIntent[]>;
}
