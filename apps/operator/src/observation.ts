import type { VdoError } from '@vdo/base/vdo-error';
import type { CheckOutcome } from '@vdo/checks/check';
import type { Gates } from '@vdo/checks/decide-gates';
import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import type { CniObservation } from '@vdo/gather/detect-cni';
import type { Distribution, DriverKind } from '@vdo/releases/matrix';
import type { AboutInfo } from '@vdo/vsphere/vcenter';
import type { Platform } from './decisions/platform.ts';

/** What one vCenter answered. `reachError` and `loginError` exclude each other. */
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

/** What is rolled out one after the other, in this order. */
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
  /** False if it was installed by somebody else. */
  readonly ours: boolean;
  /** Who else keeps it up to date: Helm, Argo CD, Flux, OLM. */
  readonly manager?: string;
  readonly distribution: Distribution;
  /** Undefined if neither labels nor images tell. */
  readonly version?: string;
  /** Of its containers. */
  readonly images?: readonly string[];
  readonly count: ReadyCount;
  /** Every pod is of the applied manifest, and ready. */
  readonly settled: boolean;
  readonly generation: number;
  /** Every pod is of the applied manifest, ready or not. */
  readonly allUpdated: boolean;
  /** None of its pods is wanted anywhere: nothing is missing, and nothing serves. */
  readonly empty?: boolean;
  /** Nothing has moved for long, or Kubernetes gave the rollout up. */
  readonly overdue: boolean;
  /** The template is being rolled out, and not for long: what is away for that is no outage. */
  readonly changing?: boolean;
  /** How far the rollout of the applied manifest is, in words. */
  readonly progress: string;
  /** What is left of it: a pod that must be replaced counts more than one that must become ready. */
  readonly remaining: number;
  /** Pods of the applied manifest that are not there and ready. */
  readonly missing: number;
  /** Of these, pods whose nodes are silent: nobody can replace them. */
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
  /** True while the cluster has not yet brought every pod to the applied manifest. */
  readonly rollingOut: boolean;
  /** True for a short while after a template was changed: what is away for that is no outage. */
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
  /** When to look again, if time alone solves it. */
  readonly untilMs?: number;
}

/** What the last runs of the checks mean. */
export interface ChecksObservation {
  readonly summary: NonNullable<VSphereDriversStatus['checks']>;
  /** What holds a first installation back. */
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

/** What needs the storage driver, as one reading of the cluster found it. */
export interface VolumeCount {
  readonly total: number;
  readonly attachments: number;
  /** instanceUuid of a vCenter → PersistentVolumes that say that it has their disks. */
  readonly byInstance: Readonly<Record<string, number>>;
  /** PersistentVolumes that do not say from which nodes they can be reached; some of them by name. */
  readonly unplaceable: { readonly total: number; readonly first: readonly string[] };
  /** What it took. */
  readonly pages: number;
}

/** Everything one reconcile learned. Conditions and status are a pure function of it. */
export interface Observation {
  readonly vcenters: readonly VCenterObservation[];
  readonly kubernetesVersion?: string;
  readonly matrix?: { readonly serial: number; readonly source: string };
  /** Why another source of the matrix was not used. */
  readonly matrixProblem?: VdoError;
  readonly platform?: Platform;
  readonly cni?: CniObservation;
  /** Why the pod network could not be brought to its manifest. It never holds the drivers up. */
  readonly cniProblem?: VdoError;
  readonly checks?: ChecksObservation;
  readonly drivers: readonly DriverObservation[];
  readonly nodes?: NodesObservation;
  /** What needs the storage driver; undefined if it was not counted. */
  readonly volumes?: VSphereDriversStatus['volumes'];
  /** Which drivers the spec asks for. */
  readonly wanted: { readonly cpi: boolean; readonly csi: boolean };
  /** What stands against an upgrade that is due. */
  readonly holds?: readonly UpgradeHold[];
  /** Releases that were taken back, in words. */
  readonly rolledBack?: readonly string[];
  /** The checks found a vCenter wanting that the pass believed to be there: look again at once. */
  readonly doubtful?: boolean;
  /** Something that fell out waits for its pods to end before it is removed. */
  readonly pruning?: boolean;
  /** Somebody undoes what the operator applies, again and again. */
  readonly contest?: VdoError;
  /** What stopped the reconcile, or what it could not do although it went on. */
  readonly failure?: VdoError;
}
