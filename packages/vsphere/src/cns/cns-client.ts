import type { MoRef } from '../wire/moref.ts';
import type {
  CnsCallOptions,
  CnsCreateBlockSpec,
  CnsCreateFileSpec,
  CnsMutationOptions,
  CnsQueryFilter,
  CnsRegisterSpec,
  CnsSnapshot,
  CnsVolume,
  MetadataUpdate,
  NetPermission,
  Outcome,
  SnapshotSource,
  VolumeOnVm,
} from './cns-types.ts';

/**
 * Container volumes of vCenter (CNS): the one way to them. Faults arrive as VdoErrors. Lists go as one call and give one outcome
 * per item, in order.
 */
export interface CnsClient {
  createBlockVolume(spec: CnsCreateBlockSpec, options: CnsMutationOptions): Promise<CnsVolume>;
  /** False if there was no such volume. Deletes the disk too. */
  deleteVolume(volumeId: string, options: CnsMutationOptions): Promise<boolean>;
  queryVolumes(filter: CnsQueryFilter, options?: CnsCallOptions): Promise<readonly CnsVolume[]>;
  /** The same a thousand at a time, for what need not be in memory at once. */
  volumePages(filter: CnsQueryFilter, options?: CnsCallOptions): AsyncIterable<readonly CnsVolume[]>;
  /** Waits for a task of an earlier process; undefined if vCenter no longer knows it. */
  awaitCreate(task: MoRef, options?: CnsCallOptions): Promise<CnsVolume | undefined>;
  /** The value is the disk's UUID: lower case, no hyphens. */
  attach(items: readonly VolumeOnVm[], options: CnsMutationOptions): Promise<readonly Outcome<string>[]>;
  detach(items: readonly VolumeOnVm[], options: CnsMutationOptions): Promise<readonly Outcome<undefined>[]>;
  extend(volumeId: string, capacityMb: bigint, options: CnsMutationOptions): Promise<void>;
  createFromSnapshot(
    spec: CnsCreateBlockSpec & { readonly source: SnapshotSource },
    options: CnsMutationOptions,
  ): Promise<CnsVolume>;
  createFileVolume(spec: CnsCreateFileSpec, options: CnsMutationOptions): Promise<CnsVolume>;
  registerDisk(spec: CnsRegisterSpec, options: CnsMutationOptions): Promise<CnsVolume>;
  /** Takes the volume out of CNS and keeps its disk. False if there was no such volume. */
  unregister(volumeId: string, options: CnsMutationOptions): Promise<boolean>;
  createSnapshot(volumeId: string, description: string, options: CnsMutationOptions): Promise<CnsSnapshot>;
  /** False if there was no such snapshot or volume. */
  deleteSnapshot(snapshot: SnapshotSource, options: CnsMutationOptions): Promise<boolean>;
  /** Of one volume, or one snapshot of it; all there are if no volume is named. Empty if there is none. */
  querySnapshots(
    filter: { readonly volumeId?: string; readonly snapshotId?: string },
    options?: CnsCallOptions,
  ): Promise<readonly CnsSnapshot[]>;
  updateMetadata(
    updates: readonly MetadataUpdate[],
    options: CnsMutationOptions,
  ): Promise<readonly Outcome<undefined>[]>;
  relocate(
    volumeId: string,
    target: { readonly datastore: MoRef; readonly storagePolicyId?: string },
    options: CnsMutationOptions,
  ): Promise<void>;
  changePolicy(volumeId: string, storagePolicyId: string, options: CnsMutationOptions): Promise<void>;
  configureAccess(
    volumeId: string,
    change: { readonly permissions: readonly NetPermission[]; readonly remove?: boolean },
    options: CnsMutationOptions,
  ): Promise<void>;
  /** Where the NFS clients mount a file volume: `NFSv4.1` → `host:/path`. */
  accessPoints(volumeId: string, options?: CnsCallOptions): Promise<Readonly<Record<string, string>>>;
}
