import type { Clock } from '@vdo/base/clock';
import type { ApplyMemory } from '@vdo/kube/apply/apply-memory';
import type { ApplyCall } from '@vdo/kube/apply/create-applier';
import type { ObjectRef } from '@vdo/kube/apply/object-ref';
import type { Repair } from '@vdo/kube/apply/repair';
import type { KubeClient } from '@vdo/kube/client';
import type { ConfigMapState } from '@vdo/kube/config-map-state';
import type { ClusterRole } from '@vdo/kube/types/cluster';
import type { Node } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { ReleaseHistory } from '@vdo/releases/release-history';
import type { CheckRunner } from '../checks/check-runner.ts';
import type { CniKeeper } from '../cni/cni-keeper.ts';
import type { NetworkMemory } from '../cni/network-memory.ts';
import type { LeftLeases } from '../gather/left-leases.ts';
import type { MatrixKeeper } from '../gather/matrix-keeper.ts';
import type { VCenterObserver } from '../gather/observe-vcenters.ts';
import type { OwnIdMemory } from '../gather/own-id-memory.ts';
import type { ProvenAccounts } from '../gather/proven-accounts.ts';
import type { RolloutMemory } from '../gather/rollout-memory.ts';
import type { SpecMemory } from '../gather/spec-memory.ts';
import type { VCenterPool } from '../gather/vcenter-pool.ts';
import type { Rehearsal } from '../rehearsal.ts';
import type { SteadyTime } from '../steady-time.ts';
import type { VolumeCensus } from '../volume-census.ts';

export interface Call {
  readonly signal: AbortSignal;
}

/** The dependencies of a pass. */
export interface PassDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  /** The registry of the release's images, unless the spec sets one. */
  readonly registry?: string;
  readonly vcenters: VCenterPool;
  readonly observer: VCenterObserver;
  readonly proven: ProvenAccounts;
  readonly rollouts: RolloutMemory;
  readonly applyMemory: Pick<ApplyMemory, 'contests' | 'dueInMs' | 'writes'>;
  /** Milliseconds since about 1970 that do not change when the wall clock is set. */
  readonly steady: Pick<SteadyTime, 'nowMs' | 'sinceMs'>;
  readonly matrix: MatrixKeeper;
  readonly specs: Pick<SpecMemory, 'read' | 'keep'>;
  readonly history: ConfigMapState<ReleaseHistory>;
  /** A change of release has begun, progressed further than ever before, or ended. */
  readonly onProgress: () => void;
  readonly checks: CheckRunner;
  readonly cni: CniKeeper;
  readonly network: NetworkMemory;
  /** True if an object that is no longer part of the drivers is still to be removed. */
  readonly apply: (objects: readonly AnyObject[], call: Call & Pick<ApplyCall, 'prune'>) => Promise<boolean>;
  /** The repairs since the last call. */
  readonly takeRepairs: () => readonly Repair[];
  /** Asks the API server in a dry run whether it would accept objects. */
  readonly rehearsal: Rehearsal;
  readonly leftLeases: Pick<LeftLeases, 'settle'>;
  /** Adds objects of other tools to the inventory, so that they are removed when ours replace them. */
  readonly adopt: (refs: readonly ObjectRef[], call: Call) => Promise<void>;
  readonly census: Pick<VolumeCensus, 'current'>;
  readonly ownId: OwnIdMemory;
  readonly nodes: () => readonly Node[];
  /** The ClusterRoles that drivers can be bound to. */
  readonly driverRoles: (call: Call) => Promise<readonly ClusterRole[]>;
  /** The port of the API server behind its Service; undefined if unknown. */
  readonly apiServerPort: (call: Call) => Promise<number | undefined>;
  readonly secretVersion: (name: string) => string;
  readonly clock: Clock;
}
