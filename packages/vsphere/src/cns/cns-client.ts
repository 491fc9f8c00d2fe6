import type { Fence } from '@vdo/base/fence';
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
  /** Checked right before the call is sent. */
  readonly fence: Fence;
  /** Told the task id as soon as vCenter has accepted the call: a crash after that can find the task again. */
  readonly onTask?: (task: MoRef) => Promise<void>;
}

/** Container volumes of vCenter (CNS). Faults arrive as VdoErrors. */
export interface CnsClient {
  createBlockVolume(spec: CnsCreateBlockSpec, options: CnsMutationOptions): Promise<CnsVolume>;
  /** False if there was no such volume. Deletes the disk too. */
  deleteVolume(volumeId: string, options: CnsMutationOptions): Promise<boolean>;
  queryVolumes(filter: CnsQueryFilter, options?: CnsCallOptions): Promise<readonly CnsVolume[]>;
  /** The same a thousand at a time, for what need not be in memory at once. */
  volumePages(filter: CnsQueryFilter, options?: CnsCallOptions): AsyncIterable<readonly CnsVolume[]>;
  /** Waits for a task of an earlier process; undefined if vCenter no longer knows it. */
  awaitCreate(task: MoRef, options?: CnsCallOptions): Promise<CnsVolume | undefined>;
}
