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
 * Container volumes of vCenter (CNS). All operations except irreversible ones, which are in `destructiveCalls`. Faults are thrown as VdoErrors.
 * A list is sent in one call and returns one outcome per item, in order.
 */
export interface CnsClient {
  createBlockVolume(spec: CnsCreateBlockSpec, options: CnsMutationOptions): Promise<CnsVolume>;
  queryVolumes(filter: CnsQueryFilter, options?: CnsCallOptions): Promise<readonly CnsVolume[]>;
  /** The same in pages of a thousand, for lists that need not be in memory as a whole. */
  volumePages(filter: CnsQueryFilter, options?: CnsCallOptions): AsyncIterable<readonly CnsVolume[]>;
  /** Whether CNS lists any volume at all: while its database is being rebuilt, or if the account lacks the privilege to search, it lists none. */
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
  /** The snapshots of one volume, or one snapshot of it; all snapshots if no volume is given. Empty if there are none. */
  querySnapshots(
    filter: { readonly volumeId?: string; readonly snapshotId?: string },
    options?: CnsCallOptions,
  ): Promise<readonly CnsSnapshot[]>;
  updateMetadata(
    updates: readonly MetadataUpdate[],
    options: CnsMutationOptions,
  ): Promise<readonly Outcome<undefined>[]>;
  changePolicy(volumeId: string, storagePolicyId: string, options: CnsMutationOptions): Promise<void>;
  /** Grants clients access to a file volume. */
  grantAccess(volumeId: string, permissions: readonly NetPermission[], options: CnsMutationOptions): Promise<void>;
  /** Where the NFS clients mount a file volume: `NFSv4.1` → `host:/path`. */
  accessPoints(volumeId: string, options?: CnsCallOptions): Promise<Readonly<Record<string, string>>>;
}
