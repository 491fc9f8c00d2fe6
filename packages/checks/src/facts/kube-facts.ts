import type { VdoError } from '@vdo/base/vdo-error';
import type { StorageClass, VolumeAttachment } from '@vdo/kube/types/storage';
import type { PodFacts } from './pod-facts.ts';
import type { Reading } from './reading.ts';

/** The PersistentVolumes on vSphere. */
export interface PersistentVolumeFacts {
  /** Volume handle → name of the PersistentVolume, for those of the storage driver. */
  readonly handles: ReadonlyMap<string, string>;
  readonly inTree: readonly { readonly name: string; readonly path: string }[];
}

/** A Deployment or DaemonSet of a CPI or CSI driver, whoever created it. */
export interface WorkloadFacts {
  readonly kind: 'Deployment' | 'DaemonSet';
  readonly namespace: string;
  readonly name: string;
  readonly driver: 'CPI' | 'CSI';
  /** Created by this operator. */
  readonly ours: boolean;
  /** Who manages it, if known: `Helm`, `OpenShift`, a field manager. */
  readonly manager: string;
  readonly desired: number;
  readonly ready: number;
  /** Not every pod runs the applied manifest yet. */
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
  /** Those in progress: not attached yet, or being detached. */
  readonly pending: readonly VolumeAttachment[];
}

/** The answer of the API server to a dry run of a driver's pod. */
export interface AdmissionFacts {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** Whether the dry run used its own ServiceAccount, or the default one because its own does not exist yet. */
  readonly account: 'own' | 'default';
  readonly refusal?: VdoError;
}

export interface CrdFacts {
  readonly name: string;
  readonly exists: boolean;
  readonly servesV1: boolean;
}

/** What was read from the API server, each reading for the groups of checks that need it. */
export interface KubeFacts {
  /** The number of nodes; their facts are kept separately. */
  readonly nodeCount?: Reading<number>;
  readonly serverVersion?: Reading<string>;
  readonly storageClasses?: Reading<readonly StorageClass[]>;
  readonly persistentVolumes?: Reading<PersistentVolumeFacts>;
  readonly attachments?: Reading<AttachmentFacts>;
  /** Node name → the registration of the storage driver. Nodes without one are absent. */
  readonly registrations?: Reading<ReadonlyMap<string, RegistrationFacts>>;
  readonly workloads?: Reading<readonly WorkloadFacts[]>;
  /** Of the drivers. */
  readonly unreadyPods?: Reading<readonly PodFacts[]>;
  readonly snapshotCrds?: Reading<readonly CrdFacts[]>;
  /** The cluster ID under which volumes have been registered so far; undefined value: none yet. */
  readonly clusterId?: Reading<string | undefined>;
  /** What the storage driver has recently observed of another cluster with the same ID, as a clause. Undefined value: nothing. */
  readonly clusterIdSharedBy?: Reading<string | undefined>;
  /** Names of the running CNIs. */
  readonly cnis?: Reading<readonly string[]>;
  /** Server of a vCenter → its addresses from the cluster DNS; absent if that cannot be reached from here. */
  readonly dns?: ReadonlyMap<string, Reading<readonly string[]>>;
  /** Absent if no dry run is planned. */
  readonly admission?: Reading<readonly AdmissionFacts[]>;
}
