import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import { finalizers } from '@vdo/config/names';
import type { Reconcile } from '@vdo/kube/controller';
import { addFinalizer, hasFinalizer, isBeingDeleted } from '@vdo/kube/finalizers';
import type { Condition } from '@vdo/kube/types/object';
import { converge, wantedDrivers } from './converge.ts';
import { driverFrom } from './decisions/drivers.ts';
import { decideNodes } from './decisions/nodes.ts';
import { rejectNonSingleton } from './decisions/read-spec.ts';
import { isAnswered, requeueAfterMs } from './decisions/requeue-after.ts';
import { decideStatus } from './decisions/status.ts';
import { mergePatch } from './decisions/status-patch.ts';
import { announceReleases, decideEvents, type TransitionEvent } from './decisions/transitions.ts';
import { observeComponents } from './gather/observe-components.ts';
import type { Observation } from './observation.ts';
import type { OwnStatus } from './own-status.ts';
import type { PassDeps } from './pass/deps.ts';
import type { PassPace } from './pass-pace.ts';
import { createPatience } from './patience.ts';
import { type UninstallDeps, uninstall } from './uninstall.ts';

const finalizer = finalizers.drivers;

export interface ReconcileDeps extends PassDeps, UninstallDeps {
  readonly operatorVersion: string;
  readonly pace: Pick<PassPace, 'spend' | 'waitMs' | 'lookWaitMs' | 'forgive'>;
  readonly ownStatus: Pick<OwnStatus, 'note'>;
  readonly recordEvent: (resource: VSphereDrivers, event: TransitionEvent) => void;
  /** Called with each status, for metrics; undefined when the resource no longer exists. */
  readonly onStatus: (status: VSphereDriversStatus | undefined) => void;
}

const removalCheckMs = 500;
/** Volumes are not watched: there may be 100,000 of them, and an uninstall need not be noticed within a second. */
const volumesCheckMs = 2_000;
const longestRefusalMs = 60_000;
/** How soon a stale Secret is read again. */
const lateSecretMs = 60_000;
/** Searching for all our objects takes about 100 calls. */
const passesPerSearch = 5;
/** Pods have 30 s to end; objects that stay longer are held by a finalizer, perhaps forever. */
const removalPollMs = (inARow: number): number =>
  Math.min(longestRefusalMs, removalCheckMs * 2 ** Math.max(0, Math.min(80, inARow) - 60));

type Context = { readonly signal: AbortSignal };

/** Reconciles the VSphereDrivers resource: one observation, one step towards the spec, one status. */
export const createReconcile = (deps: ReconcileDeps): Reconcile => {
  const { kube, clock } = deps;
  let failuresInARow = 0;
  let goingInARow = 0;
  let strangersInARow = 0;
  let generation: number | undefined;
  const patience = createPatience(clock);
  const passDeps: PassDeps = {
    ...deps,
    onProgress: () => {
      patience.forgive();
      deps.pace.forgive();
      deps.onProgress();
    },
  };

  const report = async (
    resource: VSphereDrivers,
    observation: Observation,
    { signal }: Context,
    news: readonly TransitionEvent[] = [],
  ): Promise<VSphereDriversStatus> => {
    const previous = (resource.status?.conditions ?? []) as readonly Condition[];
    const status = decideStatus(observation, {
      generation: resource.metadata.generation ?? 0,
      previous,
      last: resource.status,
      operatorVersion: deps.operatorVersion,
      nowMs: clock.now(),
    });
    // The event happened, whether the status can be written or not.
    for (const event of news) deps.recordEvent(resource, event);
    deps.ownStatus.note(resource, status);
    const body = mergePatch(resource.status ?? {}, status);
    if (body !== undefined) {
      const { name = '', resourceVersion } = resource.metadata;
      // Based on the resourceVersion that was read: another leader may have written a status since, or a user a new spec.
      const patch = { type: 'merge', body: { metadata: { resourceVersion }, status: body } } as const;
      await kube.patch(vsphereDrivers, { name }, patch, { subresource: 'status', signal });
    }
    const conditions = status.conditions as readonly Condition[];
    const events = [...decideEvents(previous, conditions), ...announceReleases(resource.status, status)];
    for (const event of events) deps.recordEvent(resource, event);
    return status;
  };

  const nextCheck = (observation: Observation): number =>
    requeueAfterMs(observation, failuresInARow, {
      nowMs: clock.now(),
      inMs: [
        deps.matrix.dueInMs(),
        deps.checks.dueInMs(),
        deps.applyMemory.dueInMs(),
        ...(deps.vcenters.isBehind() ? [lateSecretMs] : []),
      ],
      waitMs: patience.waitMs,
    });

  const install = async (found: VSphereDrivers, context: Context) => {
    deps.pace.spend();
    // The finalizer is set before the first object is applied: a resource that is deleted half-way must still be cleaned up.
    const resource = await addFinalizer(kube, vsphereDrivers, found, { finalizer, ...context });
    if (resource.metadata.generation !== generation) patience.forgive();
    generation = resource.metadata.generation;
    const { observation, news } = await converge(passDeps, resource, context);
    failuresInARow = (observation.failure ?? observation.cniProblem) ? failuresInARow + 1 : 0;
    deps.onStatus(await report(resource, observation, context, news));
    const waitMs = isAnswered(observation) ? deps.pace.lookWaitMs() : deps.pace.waitMs();
    return { requeueAfterMs: Math.max(nextCheck(observation), waitMs) };
  };

  const observeRefusal = async (resource: VSphereDrivers, failure: VdoError, { signal }: Context) => {
    const components = await observeComponents(kube, { namespace: deps.namespace, signal });
    const wanted = wantedDrivers(resource);
    const kinds = (['cpi', 'csi'] as const).filter((driver) => wanted[driver]);
    const drivers = kinds.map((driver) => driverFrom(components, { driver }));
    return { vcenters: [], drivers, wanted, failure, nodes: decideNodes(deps.nodes(), clock.now()) };
  };

  const remove = async (resource: VSphereDrivers, context: Context) => {
    // Sometimes search for all our objects: a restored backup may contain some that must be removed.
    const awaitsOthers = strangersInARow % passesPerSearch !== 0;
    const outcome = await uninstall(deps, resource, { finalizer, awaitsOthers, ...context });
    strangersInARow = isVdoError(outcome, 'DriverManagedElsewhere') ? strangersInARow + 1 : 0;
    goingInARow = outcome === 'going' ? goingInARow + 1 : 0;
    if (outcome === 'going') return { requeueAfterMs: removalPollMs(goingInARow) };
    if (!isVdoError(outcome)) {
      if (outcome.left.length > 0)
        deps.recordEvent(resource, {
          type: 'Normal',
          reason: 'LeftBehind',
          message: `Kept: ${outcome.left.join(', ')}.`,
        });
      deps.onStatus(undefined);
      return {};
    }
    failuresInARow += 1;
    const isWaiting = isVdoError(outcome, 'VolumesInUse');
    // While volumes need the drivers, everything that keeps them working continues: repair, credentials, additions to the spec.
    const kept = isWaiting ? await converge(deps, resource, context) : undefined;
    const observation = kept
      ? { ...kept.observation, failure: outcome }
      : await observeRefusal(resource, outcome, context);
    deps.onStatus(await report(resource, observation, context, kept?.news));
    const volumesMs = Math.min(longestRefusalMs, volumesCheckMs * 2 ** Math.min(10, failuresInARow - 1));
    return { requeueAfterMs: isWaiting ? volumesMs : requeueAfterMs(observation, failuresInARow) };
  };

  const release = async ({ metadata: { name = '', uid } }: VSphereDrivers, { signal }: Context) => {
    const attempt = deps.begin('release VSphereDrivers', name, signal);
    const seen = await attempt.read(vsphereDrivers, { name });
    if (seen.kind === 'absent' || seen.uid !== uid || !rejectNonSingleton(seen.object)) return;
    await removeFinalizer(attempt, seen, { finalizer, because: [] });
  };

  // The drivers belong to the other resource: they stay unchanged while this one exists, and when it is deleted.
  const refuse = async (resource: VSphereDrivers, failure: VdoError, context: Context) => {
    if (isBeingDeleted(resource)) {
      if (hasFinalizer(resource, finalizer)) await release(resource, context);
      return {};
    }
    await report(resource, { vcenters: [], drivers: [], wanted: wantedDrivers(resource), failure }, context);
    return {};
  };

  return async (key, context) => {
    const resource = await kube.find(vsphereDrivers, { name: key }, context);
    if (!resource) return {};
    const strange = rejectNonSingleton(resource);
    if (strange) return refuse(resource, strange, context);
    if (!isBeingDeleted(resource)) return install(resource, context);
    return hasFinalizer(resource, finalizer) ? remove(resource, context) : {};
  };
};
