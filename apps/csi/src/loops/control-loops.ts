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

/** Shared by all loops; each loop has its own fence and event recorder. */
export interface ControlLoopsDeps extends Omit<LoopDeps, 'fence' | 'events' | 'term' | 'drainMs'>, LeaseTimes {
  readonly kube: KubeClient;
  /** Namespace of the Leases. */
  readonly leaseNamespace: string;
  /** `external` leaves the loops of the upstream sidecars to them. */
  readonly sidecars: 'builtin' | 'external';
}

interface Loop {
  readonly lease: string;
  readonly run: (deps: LoopDeps, signal: AbortSignal) => Promise<unknown>;
  /** Operations in progress may finish when the program is asked to stop. */
  readonly drains?: true;
  /** Must be available before the loop competes for its Lease. */
  readonly ready?: (deps: ControlLoopsDeps, signal: AbortSignal) => Promise<void>;
}

const sidecarLoops: readonly Loop[] = [
  { lease: provisionerLease, run: runProvisioner, drains: true },
  { lease: attacherLease, run: runAttacher, drains: true },
  { lease: resizerLease, run: runResizer, drains: true },
  { lease: snapshotterLease, run: runSnapshotter, ready: awaitSnapshotApi },
];

// Not a sidecar: in the upstream driver, too, it is part of the driver's own image.
const ownLoops: readonly Loop[] = [{ lease: syncerLease, run: runSyncer }];

/**
 * How long operations in progress may continue when the program is asked to stop, so that the next leader does not have to find out their
 * outcome. Much shorter than the termination grace period of a pod.
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

/** The loops that the upstream driver runs as sidecars and as syncer, each under the Lease of its counterpart. */
export const createControlLoops = (deps: ControlLoopsDeps): readonly ((signal: AbortSignal) => Promise<void>)[] =>
  [...(deps.sidecars === 'builtin' ? sidecarLoops : []), ...ownLoops].map((loop) => leading(deps, loop));
