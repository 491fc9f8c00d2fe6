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
 * Container volumes of vCenter (CNS): the one way to them, apart from what cannot be undone (`destructiveCalls`). Faults arrive as VdoErrors. Lists go as one call and give one outcome
 * per item, in order.
 */
export interface CnsClient {
  createBlockVolume(spec: CnsCreateBlockSpec, options: CnsMutationOptions): Promise<CnsVolume>;
  queryVolumes(filter: CnsQueryFilter, options?: CnsCallOptions): Promise<readonly CnsVolume[]>;
  /** The same a thousand at a time, for what need not be in memory at once. */
  volumePages(filter: CnsQueryFilter, options?: CnsCallOptions): AsyncIterable<readonly CnsVolume[]>;
  /** Whether CNS shows any volume, of whomever: while its database is built anew, or the account may not search, it shows none. */
  showsAny(options?: CnsCallOptions): Promise<boolean>;
  /** Waits for a task of an earlier process; undefined if vCenter no longer knows it. */
  awaitCreate(task: MoRef, options?: CnsCallOptions): Promise<CnsVolume | undefined>;
  /** The value is the disk's UUID: lower case, no hyphens. */
  attach(items: readonly VolumeOnVm[], options: CnsMutationOptions): Promise<readonly Outcome<string>[]>;
  extend(volumeId: string, capacityMb: bigint, options: CnsMutationOptions): Promise<void>;
  createFromSnapshot(
    spec: CnsCreateBlockSpec & { readonly source: SnapshotSource },
    options: CnsMutationOptions,
  ): Promise<CnsVolume>;
  createFileVolume(spec: CnsCreateFileSpec, options: CnsMutationOptions): Promise<CnsVolume>;
  registerDisk(spec: CnsRegisterSpec, options: CnsMutationOptions): Promise<CnsVolume>;
  createSnapshot(volumeId: string, description: string, options: CnsMutationOptions): Promise<CnsSnapshot>;
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
  /** Lets clients use a file volume. */
  grantAccess(volumeId: string, permissions: readonly NetPermission[], options: CnsMutationOptions): Promise<void>;
  /** Where the NFS clients mount a file volume: `NFSv4.1` → `host:/path`. */
  accessPoints(volumeId: string, options?: CnsCallOptions): Promise<Readonly<Record<string, string>>>;
}
