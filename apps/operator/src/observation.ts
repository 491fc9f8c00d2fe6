import type { VdoError } from '@vdo/base/vdo-error';
import type { CheckOutcome } from '@vdo/checks/check';
import type { Gates } from '@vdo/checks/decide-gates';
import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import type { CniObservation } from '@vdo/gather/detect-cni';
import type { Distribution, DriverKind } from '@vdo/releases/matrix';
import type { AboutInfo } from '@vdo/vsphere/vcenter';
import type { Platform } from './decisions/platform.ts';

/** The answer of one vCenter. Only one of `reachError` and `loginError` is set. */
export interface VCenterObservation {
  readonly server: string;
  readonly about?: AboutInfo;
  readonly reachError?: VdoError;
  readonly loginError?: VdoError;
}

export interface ReadyCount {
  readonly desired: number;
  readonly ready: number;
}

/** The components, in the order in which they are rolled out. */
export const componentOrder = ['cpi', 'csi-controller', 'csi-node'] as const;
export type Component = (typeof componentOrder)[number];
export const componentsOf = (driver: DriverKind): readonly Component[] =>
  driver === 'cpi' ? ['cpi'] : ['csi-controller', 'csi-node'];

/** One workload of a driver, as it is in the cluster. */
export interface ComponentObservation {
  readonly component: Component;
  readonly kind: 'Deployment' | 'DaemonSet';
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  /** False if another tool installed it. */
  readonly ours: boolean;
  /** The other tool that manages it: Helm, Argo CD, Flux, OLM. */
  readonly manager?: string;
  readonly distribution: Distribution;
  /** Undefined if neither labels nor images show it. */
  readonly version?: string;
  /** The images of its containers. */
  readonly images?: readonly string[];
  readonly count: ReadyCount;
  /** Every pod is of the applied manifest, and ready. */
  readonly settled: boolean;
  readonly generation: number;
  /** Every pod is of the applied manifest, ready or not. */
  readonly allUpdated: boolean;
  /** It wants no pods: none is missing, and none serves. */
  readonly empty?: boolean;
  /** There has been no progress for long, or Kubernetes reported ProgressDeadlineExceeded. */
  readonly overdue: boolean;
  /** The template has been rolling out for a short time: pods that are missing because of it are not an outage. */
  readonly changing?: boolean;
  /** How far the rollout of the applied manifest is, in words. */
  readonly progress: string;
  /** The remaining work: a pod that must be replaced counts more than one that must become ready. */
  readonly remaining: number;
  /** Pods of the applied manifest that are missing or not ready. */
  readonly missing: number;
  /** Those of them on unresponsive nodes, which cannot be replaced. */
  readonly excused?: number;
}

/** One driver as it runs in the cluster. */
export interface DriverObservation {
  readonly kind: 'CPI' | 'CSI';
  readonly distribution: Distribution;
  /** Read from the cluster, never from memory; undefined if it is not installed. */
  readonly version?: string;
  /** What is being rolled out. */
  readonly target?: string;
  /** The newest compatible release, if it is not being installed. */
  readonly available?: string;
  readonly controllers?: ReadyCount;
  readonly nodes?: ReadyCount;
  /** True until every pod runs the applied manifest. */
  readonly rollingOut: boolean;
  /** True for a short time after a template change: pods that are missing because of it are not an outage. */
  readonly changing?: boolean;
  /** What keeps its pods from running. */
  readonly problem?: VdoError;
}

export interface NodesObservation {
  readonly total: number;
  readonly initialized: number;
  readonly failing: readonly {
    readonly name: string;
    readonly reason: string;
    readonly message: string;
    readonly remedy: string;
  }[];
}

/** Why a newer release is not installed yet. */
export interface UpgradeHold {
  readonly reason: string;
  readonly message: string;
  /** When to reconcile again, if only time is needed. */
  readonly untilMs?: number;
}

/** What the last check results mean. */
export interface ChecksObservation {
  readonly summary: NonNullable<VSphereDriversStatus['checks']>;
  /** Check results that prevent a first installation. */
  readonly installBlockers: readonly CheckOutcome[];
  readonly upgradeable: Gates['upgradeable'];
  readonly degraded: Gates['degraded'];
  readonly failing: Gates['failing'];
  readonly privileges: { readonly passed: number; readonly failing: readonly CheckOutcome[] };
  /** Failed checks of nodes, worst first. */
  readonly nodes: readonly CheckOutcome[];
  /** Failed checks that stop storage. */
  readonly storage: readonly CheckOutcome[];
}

/** What needs the storage driver, from one read of the cluster. */
export interface VolumeCount {
  readonly total: number;
  readonly attachments: number;
  /** instanceUuid of a vCenter → number of PersistentVolumes with disks on it. */
  readonly byInstance: Readonly<Record<string, number>>;
  /** PersistentVolumes without node affinity; some of them by name. */
  readonly unplaceable: { readonly total: number; readonly first: readonly string[] };
  /** The cost of the count. */
  readonly pages: number;
}

/** Everything that one reconcile observed. Conditions and status are a pure function of it. */
export interface Observation {
  readonly vcenters: readonly VCenterObservation[];
  readonly kubernetesVersion?: string;
  readonly matrix?: { readonly serial: number; readonly source: string };
  /** Why another source of the matrix was not used. */
  readonly matrixProblem?: VdoError;
  readonly platform?: Platform;
  readonly cni?: CniObservation;
  /** Why the manifest of the pod network could not be applied. This never delays the drivers. */
  readonly cniProblem?: VdoError;
  readonly checks?: ChecksObservation;
  readonly drivers: readonly DriverObservation[];
  readonly nodes?: NodesObservation;
  /** What needs the storage driver; undefined if it was not counted. */
  readonly volumes?: VSphereDriversStatus['volumes'];
  /** Which drivers the spec asks for. */
  readonly wanted: { readonly cpi: boolean; readonly csi: boolean };
  /** Why a pending upgrade has to wait. */
  readonly holds?: readonly UpgradeHold[];
  /** Releases that were rolled back, as text. */
  readonly rolledBack?: readonly string[];
  /** The checks found a problem with a vCenter that the pass had found healthy: reconcile again at once. */
  readonly doubtful?: boolean;
  /** An object that is no longer part of the drivers is removed once its pods have ended. */
  readonly pruning?: boolean;
  /** Another client repeatedly overwrites what the operator applies. */
  readonly contest?: VdoError;
  /** What stopped the reconcile, or what it could not do although it continued. */
  readonly failure?: VdoError;
}
