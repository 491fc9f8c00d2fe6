import type { Fence } from '@vdo/base/fence';
import type { VdoError } from '@vdo/base/vdo-error';
import type { MoRef } from '../wire/moref.ts';

export interface CnsEntityReference {
  readonly kind: 'PERSISTENT_VOLUME' | 'PERSISTENT_VOLUME_CLAIM' | 'POD';
  readonly name: string;
  readonly namespace?: string;
}

export interface CnsEntityMetadata extends CnsEntityReference {
  readonly labels?: Readonly<Record<string, string>>;
  /** A claim names its volume, a pod its claim: vCenter shows them as a chain. */
  readonly references?: readonly CnsEntityReference[];
}

export interface CnsContainerCluster {
  readonly clusterId: string;
  readonly vSphereUser: string;
  /** `VANILLA` | `OPENSHIFT_VANILLA` … free text for vCenter's UI. */
  readonly distribution: string;
}

export interface CnsVolume {
  readonly id: string;
  readonly name: string;
  readonly type: 'BLOCK' | 'FILE';
  readonly datastoreUrl: string;
  readonly capacityMb: bigint;
  readonly healthStatus: string | undefined;
  readonly storagePolicyId: string | undefined;
  readonly containerClusterIds: readonly string[];
  /** Of a block volume, where its disk is: `[datastore] fcd/….vmdk`. Absent if vCenter does not tell. */
  readonly diskPath?: string | undefined;
  /** The Kubernetes objects that use it, each with the id of its cluster. */
  readonly entities?: readonly (CnsEntityMetadata & { readonly clusterId: string })[];
}

export interface CnsCreateBlockSpec {
  readonly name: string;
  readonly capacityMb: bigint;
  /** Candidates; vCenter chooses one. */
  readonly datastores: readonly MoRef[];
  readonly storagePolicyId?: string;
  readonly cluster: CnsContainerCluster;
  readonly metadata?: readonly CnsEntityMetadata[];
  /** URLs of the datastores by MoRef value. With them the new volume need not be looked up, and its health and path are not told. */
  readonly datastoreUrls?: ReadonlyMap<string, string>;
}

export interface CnsQueryFilter {
  readonly volumeIds?: readonly string[];
  readonly names?: readonly string[];
  readonly clusterIds?: readonly string[];
}

export interface CnsCallOptions {
  readonly signal?: AbortSignal;
}

export interface CnsMutationOptions extends CnsCallOptions {
  /** Asserted right before each sending. */
  readonly fence: Fence;
  /** Told the task id as soon as vCenter has accepted the call: a crash after that can find the task again. */
  readonly onTask?: (task: MoRef) => Promise<void>;
}

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
