import type { VdoError } from '@vdo/base/vdo-error';
import type { AboutInfo } from '@vdo/vsphere/vcenter';

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

/** One driver as it runs in the cluster. */
export interface DriverObservation {
  readonly kind: 'CPI' | 'CSI';
  readonly distribution: 'Native' | 'Upstream';
  /** Read from the cluster, never from memory; undefined if it is not installed. */
  readonly version?: string;
  /** What is being rolled out. */
  readonly target?: string;
  readonly controllers?: ReadyCount;
  readonly nodes?: ReadyCount;
  /** True while the cluster has not yet brought every pod to the applied manifest. */
  readonly rollingOut: boolean;
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

/** Everything one reconcile learned. Conditions and status are a pure function of it. */
export interface Observation {
  readonly vcenters: readonly VCenterObservation[];
  readonly kubernetesVersion?: string;
  readonly matrix?: { readonly serial: number; readonly source: string };
  readonly drivers: readonly DriverObservation[];
  readonly nodes?: NodesObservation;
  /** Which drivers the spec asks for. */
  readonly wanted: { readonly cpi: boolean; readonly csi: boolean };
  /** What stopped the reconcile before everything was applied. */
  readonly failure?: VdoError;
}
