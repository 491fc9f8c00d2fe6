import { isDeepStrictEqual } from 'node:util';
import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { DriverKind } from '@vdo/releases/matrix';
import { requireNoForeignManager } from '../decisions/adoption.ts';
import { ofDriver } from '../decisions/drivers.ts';
import { excuseSilentNodes } from '../decisions/upgrade/excuse-silent-nodes.ts';
import { gotFurther } from '../decisions/upgrade/got-further.ts';
import { type DriverFailures, type DriverPlan, historyOf, planDrivers } from '../decisions/upgrade/plan-drivers.ts';
import { knownVersions, vcenterProblem } from '../decisions/vcenters.ts';
import { excusedPods } from '../gather/excused-pods.ts';
import type { Observation } from '../observation.ts';
import { requireRemovable } from '../uninstall.ts';
import type { Call, PassDeps } from './deps.ts';
import type { Survey } from './survey.ts';

export const driverKinds: readonly DriverKind[] = ['cpi', 'csi'];

export interface Chosen {
  readonly plan: DriverPlan;
  readonly failures: DriverFailures;
}

/** Why storage stays although it fell out of the spec, which is an uninstallation of storage: volumes need it. The rest is looked after. */
const neededStorage = async (
  { kube }: PassDeps,
  { resource, running }: Survey,
  call: Call,
): Promise<VdoError | undefined> => {
  const losesStorage = resource.spec.csi === undefined && ofDriver(running, 'csi').some(({ ours }) => ours);
  if (!losesStorage) return undefined;
  try {
    await requireRemovable(kube, resource, call);
    return undefined;
  } catch (error) {
    if (isVdoError(error, 'VolumesInUse')) return error;
    throw error;
  }
};

/** Checks preconditions and picks a release for each driver; what must outlive a restart is noted before it is done. */
export const choose = async (deps: PassDeps, world: Survey, { signal }: Call): Promise<Chosen> => {
  const { resource, spec, running, vcenters } = world;
  requireNoForeignManager(resource, running, spec);
  const needed = await neededStorage(deps, world, { signal });
  const history = await deps.history.load();
  const outage = vcenterProblem(vcenters, running);
  const { plan, failures } = planDrivers({
    spec,
    generation: resource.metadata.generation ?? 0,
    matrix: world.matrix.matrix,
    kubernetesVersion: world.kubernetesVersion,
    vcenterVersions: knownVersions(resource, vcenters),
    running: excuseSilentNodes(running, await excusedPods(deps, running, { signal })),
    history,
    nowMs: deps.clock.now(),
    steadyMs: deps.steady.nowMs(),
    watchingSinceMs: deps.steady.sinceMs(),
    upgradeable: deps.checks.last()?.upgradeable.status,
    ...(outage ? { busy: { reason: outage.code, message: 'No upgrade starts until every vCenter answers.' } } : {}),
  });
  signal.throwIfAborted();
  const allFailures = { ...failures, ...(needed ? { csi: needed } : {}) };
  const next = historyOf(plan, allFailures, history);
  if (!isDeepStrictEqual(next, history)) await deps.history.save(next, { signal });
  if (driverKinds.some((driver) => gotFurther(history[driver], next[driver]))) deps.onProgress();
  return { plan, failures: allFailures };
};

/** The first of what keeps single drivers from their release. */
export const failureView = (failures: DriverFailures): Partial<Observation> => {
  const [failure] = driverKinds.flatMap((driver) => failures[driver] ?? []);
  return failure ? { failure } : {};
};

export const planView = ({ plan, failures }: Chosen): Partial<Observation> => {
  const decisions = driverKinds.flatMap((driver) => plan[driver] ?? []);
  const problem = decisions.map((one) => one.problem).find((one): one is VdoError => one !== undefined);
  return {
    holds: decisions.flatMap(({ hold }) => hold ?? []),
    rolledBack: decisions.flatMap(({ history }) => history.bad.map(({ version, reason }) => `${version}: ${reason}`)),
    ...(problem ? { failure: problem } : failureView(failures)),
  };
};
