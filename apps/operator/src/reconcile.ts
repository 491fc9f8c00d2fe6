import type { Clock } from '@vdo/base/clock';
import { isVdoError, toVdoError, type VdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { Reconcile } from '@vdo/kube/controller';
import { addFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer } from '@vdo/kube/finalizers';
import type { Condition } from '@vdo/kube/types/object';
import { type ConvergeDeps, converge, wantedDrivers } from './converge.ts';
import { nextLookMs } from './decisions/next-look.ts';
import { decideStatus } from './decisions/status.ts';
import { decideEvents, type TransitionEvent } from './decisions/transitions.ts';
import { observeDrivers } from './gather/observe-drivers.ts';
import type { Observation } from './observation.ts';
import { requireRemovable } from './uninstall.ts';

export const finalizer = 'vdo.vmware.com/drivers';

export interface ReconcileDeps extends ConvergeDeps {
  readonly clock: Clock;
  readonly operatorVersion: string;
  readonly recordEvent: (resource: VSphereDrivers, event: TransitionEvent) => void;
  /** Removes what was applied; true once nothing of it is left. */
  readonly removeAll: (options: { readonly signal: AbortSignal }) => Promise<boolean>;
}

const removalCheckMs = 500;
/** Volumes are not watched: there may be a hundred thousand of them, and nobody waits for an uninstall by the second. */
const volumesCheckMs = 2_000;

type Context = { readonly signal: AbortSignal };

/** Reconciles the VSphereDrivers resource: one look at the world, one step towards the spec, one status. */
export const createReconcile = (deps: ReconcileDeps): Reconcile => {
  const { kube, clock } = deps;
  let failuresInARow = 0;

  const report = async (resource: VSphereDrivers, observation: Observation, { signal }: Context): Promise<void> => {
    const previous = (resource.status?.conditions ?? []) as readonly Condition[];
    const generation = resource.metadata.generation ?? 0;
    const status = decideStatus(observation, {
      generation,
      previous,
      operatorVersion: deps.operatorVersion,
      nowMs: clock.now(),
    });
    if (JSON.stringify(status) !== JSON.stringify(resource.status)) {
      await kube.patch(
        vsphereDrivers,
        { name: resource.metadata.name ?? '' },
        { type: 'merge', body: { status } },
        { subresource: 'status', signal },
      );
    }
    for (const event of decideEvents(previous, status.conditions as readonly Condition[]))
      deps.recordEvent(resource, event);
  };

  const install = async (resource: VSphereDrivers, context: Context): Promise<Observation> => {
    // The finalizer comes before the first object: a resource deleted half-way must still be cleaned up.
    await addFinalizer(kube, vsphereDrivers, resource, { finalizer, ...context });
    return converge(deps, resource, context);
  };

  const uninstall = async (resource: VSphereDrivers, context: Context): Promise<VdoError | 'done' | 'going'> => {
    try {
      await requireRemovable(kube, resource, context);
      if (!(await deps.removeAll(context))) return 'going';
      await deps.vcenters.close();
      await removeFinalizer(kube, vsphereDrivers, resource, { finalizer, ...context });
      return 'done';
    } catch (error) {
      context.signal.throwIfAborted();
      return toVdoError(error);
    }
  };

  const observeRefusal = async (
    resource: VSphereDrivers,
    failure: VdoError,
    { signal }: Context,
  ): Promise<Observation> => {
    const drivers = await observeDrivers(kube, { namespace: deps.namespace, kinds: ['CPI', 'CSI'], signal });
    return { vcenters: [], drivers, wanted: wantedDrivers(resource), failure, nodes: deps.nodes() };
  };

  return async (key, context) => {
    const resource = await kube.find(vsphereDrivers, { name: key }, context);
    if (!resource) return {};
    if (isBeingDeleted(resource)) {
      if (!hasFinalizer(resource, finalizer)) return {};
      const outcome = await uninstall(resource, context);
      if (outcome === 'done') return {};
      if (outcome === 'going') return { requeueAfterMs: removalCheckMs };
      const observation = await observeRefusal(resource, outcome, context);
      await report(resource, observation, context);
      return {
        requeueAfterMs: isVdoError(outcome, 'VolumesInUse')
          ? volumesCheckMs
          : nextLookMs(observation, ++failuresInARow),
      };
    }
    const observation = await install(resource, context);
    failuresInARow = observation.failure ? failuresInARow + 1 : 0;
    await report(resource, observation, context);
    return { requeueAfterMs: nextLookMs(observation, failuresInARow) };
  };
};
