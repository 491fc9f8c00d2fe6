import { isDeepStrictEqual } from 'node:util';
import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import { pods } from '@vdo/kube/types/core';
import type { DriverKind } from '@vdo/releases/matrix';
import { imageProbeSelector } from '@vdo/releases/render/shared/image-probe';
import { requireNoForeignManager } from '../decisions/adoption.ts';
import { ofDriver } from '../decisions/drivers.ts';
import { imagesPending, judgeImages } from '../decisions/image-proof.ts';
import { registryHold } from '../decisions/registry.ts';
import { beginsSwitch, switchRefused, withoutUnbegun } from '../decisions/upgrade/begin-switch.ts';
import { excuseSilentNodes } from '../decisions/upgrade/excuse-silent-nodes.ts';
import { gotFurther } from '../decisions/upgrade/got-further.ts';
import { type DriverFailures, type DriverPlan, historyOf, planDrivers } from '../decisions/upgrade/plan-drivers.ts';
import { knownVersions, observedOf, vcenterProblem } from '../decisions/vcenters.ts';
import { excusedPods } from '../gather/excused-pods.ts';
import { findLeftReleases } from '../gather/left-releases.ts';
import type { Observation, UpgradeHold } from '../observation.ts';
import { requireRemovable } from '../uninstall.ts';
import type { Call, PassDeps } from './deps.ts';
import type { Survey } from './survey.ts';

export const driverKinds: readonly DriverKind[] = ['cpi', 'csi'];

export interface Chosen {
  readonly plan: DriverPlan;
  readonly failures: DriverFailures;
  /** Why a switch of the distribution does not start, for both drivers. */
  readonly refused?: VdoError;
  /** Images that must be pulled successfully before it starts. */
  readonly probed?: readonly string[];
}

/** The result of the dry run of a switch: why it is not possible, or the images that it needs. */
export type Rehearsed =
  | { readonly problem: VdoError; readonly images?: undefined }
  | { readonly problem?: undefined; readonly images: readonly string[] };

export interface ChooseOptions {
  /** Why a switch of the distribution would fail, as far as is known. */
  readonly obstacle: VdoError | undefined;
  /** Dry-runs the result of a switch before it starts. */
  readonly rehearse: (plan: DriverPlan) => Promise<Rehearsed>;
}

/** Why storage stays although it was removed from the spec: volumes need it. The other driver is still managed. */
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

interface AgainstSwitch {
  readonly problem?: VdoError;
  /** No problem, but not yet. */
  readonly wait?: UpgradeHold;
  readonly probed?: readonly string[];
}

/** Checks before the first object changes: obstacles, whether the API server accepts the result, whether its images can be pulled. */
const switchHold = async (
  { kube, namespace }: PassDeps,
  { obstacle, rehearse }: { readonly obstacle: VdoError | undefined; readonly rehearse: () => Promise<Rehearsed> },
  { signal }: Call,
): Promise<AgainstSwitch> => {
  if (obstacle) return { problem: obstacle };
  const { problem, images } = await rehearse();
  if (problem) return { problem };
  const labelSelector = `app=${imageProbeSelector.app}`;
  const { items } = await kube.list(pods, { namespace, labelSelector, signal });
  const proof = judgeImages(images, items, namespace);
  if (proof.kind === 'pulled') return {};
  if (proof.kind === 'failed') return { problem: proof.problem, probed: images };
  return { wait: { reason: imagesPending, message: proof.message }, probed: images };
};

const unreadSpec = ({ unread }: Survey): UpgradeHold | undefined =>
  unread && { reason: unread.code, message: 'Upgrades wait until the spec is valid.' };

const outageOf = (error: VdoError | undefined): UpgradeHold | undefined =>
  error && { reason: error.code, message: 'Upgrades wait until every vCenter is available.' };

/** Searched only if there are neither workloads nor records: a first installation, or the remains of one. */
const findLeft = async ({ kube, namespace }: PassDeps, { spec, running, history }: Survey, { signal }: Call) => {
  const unknown = driverKinds.filter(
    (driver) => spec[driver] && !history[driver]?.good && ofDriver(running, driver).length === 0,
  );
  return unknown.length === 0 ? {} : findLeftReleases(kube, unknown, { namespace, signal });
};

/** Checks preconditions and picks a release for each driver; what must survive a restart is recorded before it is done. */
export const choose = async (
  deps: PassDeps,
  world: Survey,
  { obstacle, rehearse }: ChooseOptions,
  { signal }: Call,
): Promise<Chosen> => {
  const { resource, spec, buildable, running, vcenters, history } = world;
  requireNoForeignManager(resource, running, spec);
  const needed = await neededStorage(deps, world, { signal });
  const left = await findLeft(deps, world, { signal });
  const unplaced = registryHold(world.matrix.matrix, { spec: buildable, registry: deps.registry, running });
  const busy = unreadSpec(world) ?? outageOf(vcenterProblem(vcenters, world.installed)) ?? unplaced;
  const input = {
    spec: buildable,
    generation: resource.metadata.generation ?? 0,
    matrix: world.matrix.matrix,
    kubernetesVersion: world.kubernetesVersion,
    vcenterVersions: knownVersions(resource, observedOf(world, vcenters)),
    running: excuseSilentNodes(running, await excusedPods(deps, running, { signal })),
    history,
    left,
    nowMs: deps.clock.now(),
    steadyMs: deps.steady.nowMs(),
    watchingSinceMs: deps.steady.sinceMs(),
    upgradeable: deps.checks.last()?.upgradeable.status,
    ...(busy ? { busy } : {}),
  };
  const first = planDrivers(input);
  const against = beginsSwitch(first.plan, running)
    ? await switchHold(deps, { obstacle, rehearse: () => rehearse(first.plan) }, { signal })
    : {};
  const refused = against.problem && switchRefused(spec.distribution, against.problem);
  const noSwitch = refused ? { reason: refused.code, message: refused.message } : against.wait;
  const { plan, failures } = noSwitch
    ? planDrivers({ ...input, history: withoutUnbegun(history, running), noSwitch })
    : first;
  signal.throwIfAborted();
  const allFailures = { ...failures, ...(needed ? { csi: needed } : {}) };
  const next = historyOf(plan, allFailures, history);
  if (!isDeepStrictEqual(next, history)) await deps.history.save(next, { signal });
  if (driverKinds.some((driver) => gotFurther(history[driver], next[driver]))) deps.onProgress();
  const { probed } = against;
  return { plan, failures: allFailures, ...(refused ? { refused } : {}), ...(probed ? { probed } : {}) };
};

/** The first reason why a single driver cannot get its release. */
export const failureView = (failures: DriverFailures): Partial<Observation> => {
  const [failure] = driverKinds.flatMap((driver) => failures[driver] ?? []);
  return failure ? { failure } : {};
};

export const planView = ({ plan, failures, refused }: Chosen): Partial<Observation> => {
  const decisions = driverKinds.flatMap((driver) => plan[driver] ?? []);
  const problem = refused ?? decisions.map((one) => one.problem).find((one): one is VdoError => one !== undefined);
  return {
    holds: decisions.flatMap(({ hold }) => hold ?? []),
    rolledBack: decisions.flatMap(({ history }) => history.bad.map(({ version, reason }) => `${version}: ${reason}`)),
    ...(problem ? { failure: problem } : failureView(failures)),
  };
};
