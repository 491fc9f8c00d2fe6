import { annotationKeys, eventComponents } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { createLeaderElector, type LeaseTimes } from '@vdo/kube/create-leader-elector';
import { createEventRecorder } from '@vdo/kube/events';
import { type AttacherDeps, attacherLease, runAttacher } from './attacher/attacher.ts';
import { type ProvisionerDeps, provisionerLease, runProvisioner } from './provisioner/provisioner.ts';
import { type ResizerDeps, resizerLease, runResizer } from './resizer/resizer.ts';
import { awaitSnapshotApi } from './snapshots/snapshot-informers.ts';
import { runSnapshotter, type SnapshotterDeps, snapshotterLease } from './snapshots/snapshotter.ts';
import { runSyncer, type SyncerDeps, syncerLease } from './syncer/syncer.ts';

type LoopDeps = ProvisionerDeps & AttacherDeps & ResizerDeps & SnapshotterDeps & SyncerDeps;

/** What the loops share; the fence and the events are each loop's own. */
export interface ControlLoopsDeps extends Omit<LoopDeps, 'fence' | 'events' | 'term' | 'drainMs'>, LeaseTimes {
  readonly kube: KubeClient;
  /** Where the Leases live. */
  readonly leaseNamespace: string;
  /** `external` leaves the loops of the upstream sidecars to them. */
  readonly sidecars: 'builtin' | 'external';
}

interface Loop {
  readonly lease: string;
  readonly run: (deps: LoopDeps, signal: AbortSignal) => Promise<unknown>;
  /** What it has begun may come to its end when the program is told to stop. */
  readonly drains?: true;
  /** What must be there before it makes sense to compete. */
  readonly ready?: (deps: ControlLoopsDeps, signal: AbortSignal) => Promise<void>;
}

const sidecarLoops: readonly Loop[] = [
  { lease: provisionerLease, run: runProvisioner, drains: true },
  { lease: attacherLease, run: runAttacher, drains: true },
  { lease: resizerLease, run: runResizer, drains: true },
  { lease: snapshotterLease, run: runSnapshotter, ready: awaitSnapshotApi },
];

// No sidecar: upstream, too, has it in the driver's own image.
const ownLoops: readonly Loop[] = [{ lease: syncerLease, run: runSyncer }];

/**
 * How long what was begun may go on when the program is told to stop: whoever comes next need not find out then what became of it. Well
 * below what a pod is given to end.
 */
const drainMs = 10_000;

/** Runs a loop while its Lease is held; the Lease is also its fence. */
const leading =
  (deps: ControlLoopsDeps, { lease, run, ready, drains }: Loop) =>
  async (signal: AbortSignal): Promise<void> => {
    await ready?.(deps, signal);
    if (signal.aborted) return;
    const { kube, identity, leaseNamespace: namespace } = deps;
    const elector = createLeaderElector({
      ...deps,
      client: kube,
      lease: { namespace, name: lease },
      settledKey: annotationKeys.settledTerm,
    });
    const events = createEventRecorder({ ...deps, client: kube, component: eventComponents.csi, instance: identity });
    await elector
      .run(signal, (held, term) => run({ ...deps, events, fence: elector, term, ...(drains ? { drainMs } : {}) }, held))
      .finally(() => events.flush());
  };

/** The loops that upstream runs as sidecars and as syncer, each under the Lease of its counterpart. */
export const createControlLoops = (deps: ControlLoopsDeps): readonly ((signal: AbortSignal) => Promise<void>)[] =>
  [...(deps.sidecars === 'builtin' ? sidecarLoops : []), ...ownLoops].map((loop) => leading(deps, loop));
