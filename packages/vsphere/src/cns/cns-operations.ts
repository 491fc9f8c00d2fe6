import type { VdoError } from '@vdo/base/vdo-error';
import type { MoRef } from '../wire/moref.ts';
import type {
  CnsCallOptions,
  CnsContainerCluster,
  CnsCreateBlockSpec,
  CnsEntityMetadata,
  CnsMutationOptions,
  CnsVolume,
} from './cns-client.ts';

/** What became of one item of a list: either a value or why not. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: VdoError };

export interface VolumeOnVm {
  readonly volumeId: string;
  readonly vm: MoRef;
}

export interface CnsSnapshot {
  readonly id: string;
  readonly volumeId: string;
  readonly description: string;
  readonly createTime: Date;
}

export interface SnapshotSource {
  readonly volumeId: string;
  readonly snapshotId: string;
}

export interface NetPermission {
  /** An address, a CIDR or `*`. */
  readonly ips: string;
  readonly access: 'READ_ONLY' | 'READ_WRITE' | 'NO_ACCESS';
  readonly rootSquash: boolean;
}

export interface CnsCreateFileSpec {
  readonly name: string;
  readonly capacityMb: bigint;
  readonly datastores: readonly MoRef[];
  readonly storagePolicyId?: string;
  readonly cluster: CnsContainerCluster;
  readonly metadata?: readonly CnsEntityMetadata[];
  readonly netPermissions: readonly NetPermission[];
}

/** A disk that exists already and becomes a container volume: by its FCD id or by the URL path of its vmdk. */
export interface CnsRegisterSpec {
  readonly name: string;
  readonly backing: { readonly diskId: string } | { readonly diskUrlPath: string };
  readonly cluster: CnsContainerCluster;
  readonly metadata?: readonly CnsEntityMetadata[];
}

export interface MetadataUpdate {
  readonly volumeId: string;
  readonly cluster: CnsContainerCluster;
  readonly entities: readonly (CnsEntityMetadata & { readonly remove?: boolean })[];
}

/** Container volumes of vCenter beyond creating and deleting. Lists go as one call and give one outcome per item, in order. */
export interface CnsOperations {
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
