import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@vdo/base/clock';
import { toVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers, VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { ObjectRef } from '@vdo/kube/apply/object-ref';
import type { KubeClient } from '@vdo/kube/client';
import type { ConfigMapState } from '@vdo/kube/config-map-state';
import type { Node } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { LoadedMatrix } from '@vdo/releases/load-matrix';
import type { DriverKind, Release } from '@vdo/releases/matrix';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { adoptedRefs, requireNoForeignManager } from './decisions/adoption.ts';
import { driverFrom, ofDriver } from './decisions/drivers.ts';
import { decideNodes } from './decisions/nodes.ts';
import { standDown } from './decisions/platform.ts';
import { readSpec } from './decisions/read-spec.ts';
import type { TransitionEvent } from './decisions/transitions.ts';
import { composeObjects, movingComponents } from './decisions/upgrade/compose-objects.ts';
import { type DriverPlan, historyOf, planDrivers } from './decisions/upgrade/plan-drivers.ts';
import type { ReleaseHistory } from './decisions/upgrade/release-history.ts';
import { knownVersions, vcenterProblem } from './decisions/vcenters.ts';
import { readAccounts } from './gather/accounts.ts';
import { detectCni } from './gather/detect-cni.ts';
import { detectPlatform } from './gather/detect-platform.ts';
import type { MatrixKeeper } from './gather/matrix-keeper.ts';
import { observeComponents } from './gather/observe-components.ts';
import { observeVCenters } from './gather/observe-vcenters.ts';
import { findPodProblem } from './gather/pod-problems.ts';
import type { VCenterPool } from './gather/vcenter-pool.ts';
import type { ComponentObservation, Observation } from './observation.ts';

export interface ConvergeDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly vcenters: VCenterPool;
  readonly matrix: MatrixKeeper;
  readonly history: ConfigMapState<ReleaseHistory>;
  readonly apply: (objects: readonly AnyObject[], options: { readonly signal: AbortSignal }) => Promise<void>;
  /** Takes objects that others made into the inventory, so that they go when ours take their place. */
  readonly adopt: (refs: readonly ObjectRef[], options: { readonly signal: AbortSignal }) => Promise<void>;
  readonly nodes: () => readonly Node[];
  readonly clock: Clock;
}

export interface Convergence {
  readonly observation: Observation;
  /** What happened to the releases, for events. */
  readonly news: readonly TransitionEvent[];
}

interface Context {
  readonly signal: AbortSignal;
}

const kinds: readonly DriverKind[] = ['cpi', 'csi'];

export const wantedDrivers = ({ spec }: VSphereDrivers): Observation['wanted'] => ({
  cpi: spec?.cpi !== undefined,
  csi: spec?.csi !== undefined,
});

/** Renders both ends of every change and applies as much of it as the gates let through. */
const applyPlan = async (
  deps: ConvergeDeps,
  input: {
    readonly spec: VSphereDriversSpec;
    readonly plan: DriverPlan;
    readonly running: readonly ComponentObservation[];
    readonly observed: Observation;
  },
  { signal }: Context,
): Promise<void> => {
  const { spec, plan, running } = input;
  const { kube, namespace } = deps;
  const accounts = await readAccounts(kube, spec.vcenters, { namespace, observed: input.observed.vcenters, signal });
  const render = (of: (decision: NonNullable<DriverPlan[DriverKind]>) => Release | undefined) => {
    const [cpi, csi] = kinds.map((driver) => plan[driver] && of(plan[driver]));
    return renderDrivers({ spec, releases: { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) }, accounts, namespace });
  };
  const next = render(({ release }) => release);
  const changes = kinds.some((driver) => plan[driver] && plan[driver].release !== plan[driver].previous);
  const previous = changes ? render(({ previous: old }) => old) : [];
  const targets = Object.fromEntries(kinds.flatMap((driver) => (plan[driver] ? [[driver, plan[driver].release]] : [])));
  const composition = { next, previous, targets, running };
  const objects = changes ? composeObjects(composition) : next;
  const moving = changes ? movingComponents(composition) : new Set(running.map(({ component }) => component));
  const adopted = adoptedRefs(running, moving);
  if (adopted.length > 0) await deps.adopt(adopted, { signal });
  await deps.apply(objects, { signal });
};

/** What runs is observed even when the pass failed: a running driver stays Available during an outage. */
const look = async (
  deps: ConvergeDeps,
  learned: Observation,
  plan: DriverPlan,
  { signal }: Context,
): Promise<Partial<Observation>> => {
  const { kube, namespace } = deps;
  const components = await observeComponents(kube, { namespace, signal });
  const view = async (driver: DriverKind) => {
    const isReady = ofDriver(components, driver).every(({ settled }) => settled);
    const problem = isReady ? undefined : await findPodProblem(kube, driver, { namespace, signal });
    const { history, available } = plan[driver] ?? {};
    const target = history?.target?.version;
    return driverFrom(components, {
      driver,
      ...(target === undefined ? {} : { target }),
      ...(available === undefined ? {} : { available }),
      ...(problem ? { problem } : {}),
    });
  };
  const drivers = await Promise.all(kinds.filter((driver) => learned.wanted[driver]).map(view));
  return { drivers, nodes: decideNodes(deps.nodes(), deps.clock.now()) };
};

/** One pass, step by step: read the world, choose, render, apply, and look at the result. Throws for cancellation only. */
export const converge = async (
  deps: ConvergeDeps,
  resource: VSphereDrivers,
  options: Context,
): Promise<Convergence> => {
  const { kube, namespace, clock } = deps;
  const { signal } = options;
  let learned: Observation = { vcenters: [], drivers: [], wanted: wantedDrivers(resource) };
  let plan: DriverPlan = {};
  const fail = (error: unknown): void => {
    signal.throwIfAborted();
    learned = { ...learned, failure: learned.failure ?? toVdoError(error) };
  };
  try {
    const asked = readSpec(resource);
    const kubernetesVersion = await kube.serverVersion({ signal });
    learned = { ...learned, kubernetesVersion };
    const vcenters = await observeVCenters(await deps.vcenters.use(asked.vcenters), { signal });
    const matrix = await deps.matrix.current(asked.updates, { signal });
    learned = { ...learned, vcenters, ...matrixView(matrix) };
    const platform = await detectPlatform(kube, { signal });
    const spec = standDown(asked, platform);
    learned = { ...learned, platform, cni: await detectCni(kube, deps.nodes(), { signal }) };
    const running = await observeComponents(kube, { namespace, signal });
    const outage = vcenterProblem(vcenters, running);
    if (outage) learned = { ...learned, failure: outage };
    requireNoForeignManager(resource, running, spec);
    const history = await deps.history.load();
    plan = planDrivers({
      spec,
      generation: resource.metadata.generation ?? 0,
      matrix: matrix.matrix,
      kubernetesVersion,
      vcenterVersions: knownVersions(resource, vcenters),
      running,
      history,
      nowMs: clock.now(),
      upgradeable: 'True',
      ...(outage ? { busy: { reason: outage.code, message: 'No upgrade starts until every vCenter answers.' } } : {}),
    });
    learned = { ...learned, ...planView(plan) };
    // Noted before it is done: a restart must go on with the same intent.
    const next = historyOf(plan);
    if (!isDeepStrictEqual(next, history)) await deps.history.save(next);
    if (spec.cpi || spec.csi) await applyPlan(deps, { spec, plan, running, observed: learned }, { signal });
  } catch (error) {
    fail(error);
  }
  try {
    learned = { ...learned, ...(await look(deps, learned, plan, { signal })) };
  } catch (error) {
    fail(error);
  }
  return { observation: learned, news: kinds.flatMap((driver) => plan[driver]?.news ?? []) };
};

const matrixView = ({ serial, source, problem }: LoadedMatrix): Partial<Observation> => ({
  matrix: { serial, source },
  ...(problem ? { matrixProblem: problem } : {}),
});

const planView = (plan: DriverPlan): Partial<Observation> => {
  const decisions = kinds.flatMap((driver) => plan[driver] ?? []);
  const failure = decisions.map(({ problem }) => problem).find((problem): problem is VdoError => problem !== undefined);
  return {
    holds: decisions.flatMap(({ hold }) => hold ?? []),
    rolledBack: decisions.flatMap(({ history }) => history.bad.map(({ version, reason }) => `${version}: ${reason}`)),
    ...(failure ? { failure } : {}),
  };
};
