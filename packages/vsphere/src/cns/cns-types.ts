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
  /** A claim refers to its volume, a pod to its claim: vCenter shows them as a chain. */
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
  /** Whether its disk satisfies its storage policy: `compliant`, `nonCompliant`, `unknown`, … Absent if vCenter does not report it. */
  readonly complianceStatus?: string | undefined;
  readonly storagePolicyId: string | undefined;
  readonly containerClusterIds: readonly string[];
  /** For a block volume, the path of its disk: `[datastore] fcd/….vmdk`. Absent if vCenter does not report it. */
  readonly diskPath?: string | undefined;
  /** The ID of the storage object behind the disk, on vSAN and vVols; by it backup tools find the disk. */
  readonly diskObjectId?: string | undefined;
  /** The Kubernetes objects that use it, each with its cluster ID. */
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
  /** URLs of the datastores by MoRef value. With them the new volume need not be read again; its health and path are then not returned. */
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
  /** Checked right before each request is sent. */
  readonly fence: Fence;
  /** Called with the task ID as soon as vCenter has accepted the call, so that the task can be found again after a crash. */
  readonly onTask?: (task: MoRef) => Promise<void>;
}

/** The outcome for one item of a list: either a value or an error. */
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

/** An existing disk or share to register as a container volume: by its FCD ID, by the URL path of its vmdk, or by the ID of the file volume. */
export interface CnsRegisterSpec {
  readonly name: string;
  readonly backing: { readonly diskId: string } | { readonly diskUrlPath: string } | { readonly fileId: string };
  readonly cluster: CnsContainerCluster;
  readonly metadata?: readonly CnsEntityMetadata[];
}

export interface MetadataUpdate {
  readonly volumeId: string;
  readonly cluster: CnsContainerCluster;
  readonly entities: readonly (CnsEntityMetadata & { readonly remove?: boolean })[];
}
