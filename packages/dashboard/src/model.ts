import type { HealthWord } from '@vdo/config/api/health';
import type { DriverStatus, FailingCheck, VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';

export interface DashboardEvent {
  readonly time: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly object: string;
  readonly message: string;
  readonly count: number;
}

/** A place of the inventory, or a node; colours go from the leaves up. */
export interface TopologyPlace {
  readonly kind: 'vCenter' | 'Datacenter' | 'Cluster' | 'Host' | 'Node';
  readonly name: string;
  readonly health: 'good' | 'bad' | 'unknown';
  /** What a reader should know; empty if nothing. */
  readonly note: string;
  readonly children: readonly TopologyPlace[];
}

/** Calls to the vCenters in one interval. */
export interface CallSample {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly calls: number;
  /** Mean; null if there was no call. */
  readonly latencyMs: number | null;
}

/** The latest calls to the vCenters, oldest first. */
export interface CallHistory {
  /** Whose calls. */
  readonly of: string;
  readonly everyMs: number;
  readonly samples: readonly CallSample[];
  /** Why the last reading failed; empty if it did not. */
  readonly problem: string;
}

/** Everything the page shows. */
export interface DashboardModel {
  readonly cluster: string;
  readonly health: HealthWord;
  readonly reason: string;
  /** Milliseconds since 1970 when the facts were last read. */
  readonly asOfMs: number;
  /** Why the facts may be old; empty while the API server answers. */
  readonly stale: string;
  readonly conditions: NonNullable<VSphereDriversStatus['conditions']>;
  readonly drivers: readonly DriverStatus[];
  readonly versions: NonNullable<VSphereDriversStatus['versions']>;
  readonly nodes: { readonly total: number; readonly initialized: number };
  readonly volumes: { readonly total: number; readonly bound: number; readonly failed: number };
  readonly checks: Omit<NonNullable<VSphereDriversStatus['checks']>, 'failing'> | null;
  readonly failing: readonly FailingCheck[];
  readonly events: readonly DashboardEvent[];
  readonly topology: readonly TopologyPlace[];
  /** Null if nobody counts them. */
  readonly calls: CallHistory | null;
}

/** Where the page's facts come from. */
export interface DashboardSource {
  current(): DashboardModel;
  /** Called after each change; gives back how to stop. */
  onChange(listener: () => void): () => void;
}
