import type { Clock } from '@vdo/base/clock';
import type { ApplyMemory } from '@vdo/kube/apply/apply-memory';
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

/** What a pass works with. */
export interface PassDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  /** Where the images of the release are, unless the spec names another place. */
  readonly registry?: string;
  readonly vcenters: VCenterPool;
  readonly observer: VCenterObserver;
  readonly proven: ProvenAccounts;
  readonly rollouts: RolloutMemory;
  readonly applyMemory: Pick<ApplyMemory, 'contests' | 'dueInMs' | 'writes'>;
  /** Milliseconds that no setting of the wall clock moves, near those since 1970. */
  readonly steady: Pick<SteadyTime, 'nowMs' | 'sinceMs'>;
  readonly matrix: MatrixKeeper;
  readonly specs: Pick<SpecMemory, 'read' | 'keep'>;
  readonly history: ConfigMapState<ReleaseHistory>;
  /** A change of release has begun, got further than ever, or ended. */
  readonly onProgress: () => void;
  readonly checks: CheckRunner;
  readonly cni: CniKeeper;
  readonly network: NetworkMemory;
  /** True if something that fell out is still to be removed. */
  readonly apply: (objects: readonly AnyObject[], call: Call & { readonly prune: boolean }) => Promise<boolean>;
  /** What was changed back since this was asked last. */
  readonly takeRepairs: () => readonly Repair[];
  /** Asks the API server whether it would take objects. */
  readonly rehearsal: Rehearsal;
  readonly leftLeases: Pick<LeftLeases, 'settle'>;
  /** Takes objects that others made into the inventory, so that they go when ours take their place. */
  readonly adopt: (refs: readonly ObjectRef[], call: Call) => Promise<void>;
  readonly census: Pick<VolumeCensus, 'current'>;
  readonly ownId: OwnIdMemory;
  readonly nodes: () => readonly Node[];
  /** The roles of the cluster that drivers can be bound to. */
  readonly driverRoles: (call: Call) => Promise<readonly ClusterRole[]>;
  /** Where the API server listens behind its Service; undefined if that is not known. */
  readonly apiServerPort: (call: Call) => Promise<number | undefined>;
  readonly secretVersion: (name: string) => string;
  readonly clock: Clock;
}
