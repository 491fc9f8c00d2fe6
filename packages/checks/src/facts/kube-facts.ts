import type { VdoError } from '@vdo/base/vdo-error';
import type { StorageClass, VolumeAttachment } from '@vdo/kube/types/storage';
import type { PodFacts } from './pod-facts.ts';
import type { Reading } from './reading.ts';

/** PersistentVolumes, as far as they concern vSphere. */
export interface PersistentVolumeFacts {
  /** Volume handle → name of the PersistentVolume, of those of the storage driver. */
  readonly handles: ReadonlyMap<string, string>;
  readonly inTree: readonly { readonly name: string; readonly path: string }[];
}

/** A Deployment or DaemonSet of a CPI or CSI driver, whoever made it. */
export interface WorkloadFacts {
  readonly kind: 'Deployment' | 'DaemonSet';
  readonly namespace: string;
  readonly name: string;
  readonly driver: 'CPI' | 'CSI';
  /** Made by this operator. */
  readonly ours: boolean;
  /** Who made it, where that can be told: `Helm`, `OpenShift`, a field manager. */
  readonly manager: string;
  readonly desired: number;
  readonly ready: number;
  /** The cluster has not yet brought every pod to the manifest. */
  readonly rollingOut: boolean;
}

/** What the storage driver registered with the kubelet of a node. */
export interface RegistrationFacts {
  readonly nodeID: string;
  readonly topologyKeys: readonly string[];
}

/** VolumeAttachments of the storage driver. */
export interface AttachmentFacts {
  readonly total: number;
  /** Those on their way: not attached yet, or about to go. */
  readonly pending: readonly VolumeAttachment[];
}

/** What the API server said when a driver's pod was proposed to it. */
export interface AdmissionFacts {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** Whether it was proposed with its own service account, or with the default one since its own is not made yet. */
  readonly account: 'own' | 'default';
  readonly refusal?: VdoError;
}

export interface CrdFacts {
  readonly name: string;
  readonly exists: boolean;
  readonly servesV1: boolean;
}

/** What the API server was asked, each reading for the groups of checks that need it. */
export interface KubeFacts {
  /** How many nodes there are; their facts are beside these. */
  readonly nodeCount?: Reading<number>;
  readonly serverVersion?: Reading<string>;
  readonly storageClasses?: Reading<readonly StorageClass[]>;
  readonly persistentVolumes?: Reading<PersistentVolumeFacts>;
  readonly attachments?: Reading<AttachmentFacts>;
  /** Node name → what the storage driver registered there. Nodes without it are absent. */
  readonly registrations?: Reading<ReadonlyMap<string, RegistrationFacts>>;
  readonly workloads?: Reading<readonly WorkloadFacts[]>;
  /** Of the drivers. */
  readonly unreadyPods?: Reading<readonly PodFacts[]>;
  readonly snapshotCrds?: Reading<readonly CrdFacts[]>;
  /** The id under which volumes have been registered so far; undefined value: none yet. */
  readonly clusterId?: Reading<string | undefined>;
  /** By what the storage driver has noticed another cluster under that id, lately: a clause. Undefined value: it has not. */
  readonly clusterIdSharedBy?: Reading<string | undefined>;
  /** Names of the CNIs that run. */
  readonly cnis?: Reading<readonly string[]>;
  /** Server of a vCenter → its addresses by the cluster's own DNS; absent if that cannot be asked from here. */
  readonly dns?: ReadonlyMap<string, Reading<readonly string[]>>;
  /** Absent if nothing is planned to be proposed. */
  readonly admission?: Reading<readonly AdmissionFacts[]>;
}
