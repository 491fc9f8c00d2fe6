import type { Attempt } from '@vdo/acts/attempt';
import type { VolumeKind } from '../driver.ts';
import type { ClaimReference } from '../intents/volume-intent.ts';
import type { Segments } from '../placement/segments.ts';
import type { CallContext } from './call-context.ts';
import type { AbandonProof, Whereabouts } from './permissions.ts';
import type { SizeRange } from './volume-size.ts';

/** A volume as vCenter knows it. */
export interface Volume {
  readonly id: string;
  readonly kind: VolumeKind;
  /** vCenter that holds it. */
  readonly server: string;
  readonly name: string;
  readonly sizeMb: bigint;
  readonly datastoreUrl: string;
  /** What vCenter says of its health: `green`, `yellow`, `red`, or nothing. */
  readonly health: string | undefined;
  /** Kubernetes clusters that registered it. */
  readonly clusterIds: readonly string[];
  readonly storagePolicyId: string | undefined;
  /** `[datastore] path.vmdk` of a disk, if vCenter tells. */
  readonly diskPath: string | undefined;
}

/** What a new volume is a copy of. */
export type VolumeSource =
  | { readonly kind: 'snapshot'; readonly volumeId: string; readonly snapshotId: string }
  | { readonly kind: 'volume'; readonly volumeId: string };

export interface CreateVolumeSpec {
  /** Name of the CSI request: asking twice for a name gives one volume. */
  readonly name: string;
  readonly size: SizeRange | undefined;
  /** Default `block`. */
  readonly kind?: VolumeKind;
  readonly datastoreUrl?: string;
  /** Where the disk of the new volume is must be told. */
  readonly needsPath?: true;
  /** By name, as StorageClasses of the in-tree provider say it. */
  readonly datastoreName?: string;
  /** Storage policy of vCenter, by name. */
  readonly storagePolicyName?: string;
  /** What it is a copy of. Absent: it is empty. */
  readonly source?: VolumeSource;
  /** Claim that it is for, if that is known. */
  readonly claim?: ClaimReference;
  /** Where the volume must be reachable: acceptable places, preferred ones first. Empty: from every node. */
  readonly topologies: readonly Segments[];
  /** Called right before the intent is written, or what exists is taken. Throws if nobody asks for the volume any more. */
  readonly confirm?: () => Promise<void>;
}

export interface CreatedVolume extends Volume {
  /**
   * True: made empty by this request or an interrupted earlier try of it, so that nobody can have written to it. False: a copy.
   * Undefined: found by its name, and its past is not known.
   */
  readonly blank: boolean | undefined;
  /** The place chosen, if places were given. */
  readonly topology?: Segments;
}

/** Volumes of this cluster, on whichever vCenter. All operations may be repeated at any time. */
export interface VolumeService {
  /** Creates the volume, or finds the one that an earlier call created. */
  create(spec: CreateVolumeSpec, context: CallContext): Promise<CreatedVolume>;
  /**
   * The caller is about to record the volume: from now on its disk is not deleted because its creation was not finished.
   * Gives the instanceUuid of the vCenter on which it was made, if that was noted.
   */
  handOver(name: string, volumeId: string, context: CallContext): Promise<string | undefined>;
  /** The caller has recorded the volume durably; its intent may go. */
  acknowledge(name: string, context: CallContext): Promise<void>;
  /**
   * Nobody will ask for this volume again: whatever its unfinished creation left is deleted, and the intent is removed. The disk is left
   * if `prove` gives nothing. What was handed over is left, too.
   */
  abandon(name: string, prove: (id: string) => Promise<AbandonProof | undefined>, context: CallContext): Promise<void>;
  /** The vCenter that has to delete a volume; undefined if none shows it, and it was not `noted` which of them had it. */
  whereabouts(
    attempt: Attempt,
    volume: { readonly id: string; readonly noted: string | undefined },
    context: CallContext,
  ): Promise<Whereabouts | undefined>;
  /**
   * A volume that does not exist is deleted already; CNS alone is believed that it does not only if no PersistentVolume has it. Refuses
   * what is not known to be this cluster's.
   */
  delete(id: string, context: CallContext): Promise<void>;
  find(id: string, context: CallContext): Promise<Volume | undefined>;
  /** Throws while that cannot be told, because a vCenter shows nothing at all. */
  isGone(id: string, context: CallContext): Promise<boolean>;
  /** All volumes of this cluster, disks and shares. Throws if a vCenter does not answer: a partial list would be a wrong one. */
  list(context: CallContext): Promise<readonly Volume[]>;
}
