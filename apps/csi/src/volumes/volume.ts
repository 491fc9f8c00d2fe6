import type { Attempt } from '@vdo/acts/attempt';
import type { VolumeKind } from '../driver.ts';
import type { ClaimReference } from '../intents/volume-intent.ts';
import type { Segments } from '../placement/segments.ts';
import type { CallContext } from './call-context.ts';
import type { AbandonProof, Whereabouts } from './permissions.ts';
import type { SizeRange } from './volume-size.ts';

/** A volume in vCenter. */
export interface Volume {
  readonly id: string;
  readonly kind: VolumeKind;
  /** The vCenter that has it. */
  readonly server: string;
  readonly name: string;
  readonly sizeMb: bigint;
  readonly datastoreUrl: string;
  /** Its health as reported by vCenter: `green`, `yellow`, `red`, or nothing. */
  readonly health: string | undefined;
  /** Kubernetes clusters that registered it. */
  readonly clusterIds: readonly string[];
  readonly storagePolicyId: string | undefined;
  /** `[datastore] path.vmdk` of a disk, if vCenter reports it. */
  readonly diskPath: string | undefined;
}

/** The source of a new volume. */
export type VolumeSource =
  | { readonly kind: 'snapshot'; readonly volumeId: string; readonly snapshotId: string }
  | { readonly kind: 'volume'; readonly volumeId: string };

export interface CreateVolumeSpec {
  /** Name of the CSI request: two requests with the same name give one volume. */
  readonly name: string;
  readonly size: SizeRange | undefined;
  /** `block` by default. */
  readonly kind?: VolumeKind;
  readonly datastoreUrl?: string;
  /** The reply must contain the path of the new disk. */
  readonly needsPath?: true;
  /** Name of the datastore, as in StorageClasses of the in-tree provider. */
  readonly datastoreName?: string;
  /** Storage policy of vCenter, by name. */
  readonly storagePolicyName?: string;
  /** The source of the copy. Absent: the volume is empty. */
  readonly source?: VolumeSource;
  /** The claim that it is for, if it is known. */
  readonly claim?: ClaimReference;
  /** Acceptable topology segments, preferred ones first. Empty: the volume must be accessible from every node. */
  readonly topologies: readonly Segments[];
  /** Called right before the intent is written or an existing volume is used. Throws if the volume is no longer requested. */
  readonly confirm?: () => Promise<void>;
}

export interface CreatedVolume extends Volume {
  /**
   * True: created empty by this request or by an interrupted earlier attempt, so that it cannot contain data. False: a copy.
   * Undefined: found by its name, and its history is not known.
   */
  readonly blank: boolean | undefined;
  /** The selected topology segment, if segments were requested. */
  readonly topology?: Segments;
}

/** Volumes of this cluster, on all vCenters. All operations are idempotent. */
export interface VolumeService {
  /** Creates the volume, or finds the one that an earlier call created. */
  create(spec: CreateVolumeSpec, context: CallContext): Promise<CreatedVolume>;
  /**
   * The caller is about to record the volume: from now on its disk is not deleted as an unfinished creation.
   * Returns the instanceUuid of the vCenter on which it was created, if that was recorded.
   */
  handOver(name: string, volumeId: string, context: CallContext): Promise<string | undefined>;
  /** The caller has recorded the volume durably; its intent can be removed. */
  acknowledge(name: string, context: CallContext): Promise<void>;
  /**
   * The volume will not be requested again: what its unfinished creation left is deleted, and the intent is removed. The disk is kept if
   * `prove` returns no evidence, or if the volume was handed over.
   */
  abandon(name: string, prove: (id: string) => Promise<AbandonProof | undefined>, context: CallContext): Promise<void>;
  /** The vCenter that has to delete a volume; undefined if none lists it and it was not recorded (`noted`) which one had it. */
  whereabouts(
    attempt: Attempt,
    volume: { readonly id: string; readonly noted: string | undefined },
    context: CallContext,
  ): Promise<Whereabouts | undefined>;
  /**
   * It is not an error if the volume does not exist. An empty answer of CNS is sufficient for this only if no PersistentVolume refers to the
   * volume. Refuses to delete volumes that are not known to belong to this cluster.
   */
  delete(id: string, context: CallContext): Promise<void>;
  find(id: string, context: CallContext): Promise<Volume | undefined>;
  /** Throws while this is uncertain because a vCenter lists nothing at all. */
  isGone(id: string, context: CallContext): Promise<boolean>;
  /** All volumes of this cluster, disks and shares. Throws if a vCenter does not answer, because a partial list would be wrong. */
  list(context: CallContext): Promise<readonly Volume[]>;
}
