import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import { type ObjectRef, refOf } from '@vdo/kube/apply/object-ref';
import { missingFrom } from '@vdo/kube/apply/phases';
import type { AnyObject } from '@vdo/kube/types/object';
import { type DriverKind, inRegistry, type Release } from '@vdo/releases/matrix';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { imagesOf, renderImageProbe } from '@vdo/releases/render/shared/image-probe';
import { adoptedRefs } from '../decisions/adoption.ts';
import { controllerReplicas } from '../decisions/controller-replicas.ts';
import { requireRoles } from '../decisions/driver-roles.ts';
import { ofDriver } from '../decisions/drivers.ts';
import { requireRegistry } from '../decisions/registry.ts';
import {
  composeObjects,
  lingeringComponents,
  movingComponents,
  onceEach,
} from '../decisions/upgrade/compose-objects.ts';
import type { DriverFailures, DriverPlan } from '../decisions/upgrade/plan-drivers.ts';
import { observedOf, reportedVersions } from '../decisions/vcenters.ts';
import { readAccounts } from '../gather/accounts.ts';
import { detectSnapshots } from '../gather/detect-snapshots.ts';
import type { Component } from '../observation.ts';
import { type Chosen, driverKinds, type Rehearsed } from './choose.ts';
import type { Call, PassDeps } from './deps.ts';
import type { Survey } from './survey.ts';

export interface Rendered {
  readonly objects: readonly AnyObject[];
  /** Workloads of other tools that are removed when these are applied; those with the same name and namespace become ours instead. */
  readonly adopted: readonly ObjectRef[];
  /** Components of other tools that these objects take over, under the same or another name. */
  readonly takenOver: readonly Component[];
  /** Why drivers have no objects here: they stay unchanged. */
  readonly failures: DriverFailures;
}

type Decision = NonNullable<DriverPlan[DriverKind]>;

/** The release of a driver that is brought to one; a driver that is left alone has none. */
const broughtTo = ({ release, leave }: Decision): Release | undefined => (leave ? undefined : release);

/** The distributions of running drivers that are brought to no release. */
const standingOf = (running: Survey['running'], plan: DriverPlan) =>
  Object.fromEntries(
    driverKinds.flatMap((driver) => {
      const [first] = ofDriver(running, driver);
      const isBrought = plan[driver] && broughtTo(plan[driver]);
      return isBrought || !first?.ours ? [] : [[driver, first.distribution]];
    }),
  );

/** Each driver separately: if one cannot be rendered, that is reported, and the other one is still managed. */
const eachDriver = (renderOne: (driver: DriverKind) => readonly AnyObject[]) => {
  const failures: Partial<Record<DriverKind, VdoError>> = {};
  const rendered = driverKinds.flatMap((driver) => {
    try {
      return renderOne(driver);
    } catch (error) {
      if (!isVdoError(error)) throw error;
      failures[driver] = error;
      return [];
    }
  });
  return { objects: onceEach(rendered), failures };
};

/** Components of other tools that these objects take over: they are removed, or the object with the same name and namespace becomes ours. */
const takenOver = (
  adoptable: Survey['running'],
  objects: readonly AnyObject[],
  replaced: ReadonlySet<Component>,
): readonly Component[] => {
  const isAmong = ({ kind, namespace, name }: Survey['running'][number]): boolean =>
    objects.some(
      (object) => object.kind === kind && object.metadata.namespace === namespace && object.metadata.name === name,
    );
  return adoptable
    .filter((one) => !one.ours && (replaced.has(one.component) || isAmong(one)))
    .map(({ component }) => component);
};

/** Reads what rendering needs, and returns a function that renders each driver at a given release. */
const createRenderer = async (deps: PassDeps, world: Survey, plan: DriverPlan, { signal }: Call) => {
  const { buildable: spec, running, platform, kubernetesVersion } = world;
  const vcenters = observedOf(world, world.vcenters);
  const { kube, namespace } = deps;
  const accounts = await readAccounts(kube, spec, { namespace, proven: deps.proven, observed: vcenters, signal });
  const foreign = spec.csi?.snapshots?.install ? await detectSnapshots(kube, { signal }) : {};
  const clusterIds = spec.csi ? await world.clusterIds() : {};
  const standing = standingOf(running, plan);
  const openShift = platform.kind === 'OpenShift';
  const replicas = controllerReplicas(deps.nodes(), spec.advanced);
  const roles = await deps.driverRoles({ signal });
  const apiServerPort = await deps.apiServerPort({ signal });
  return (of: (decision: Decision) => Release | undefined) => {
    const [cpi, csi] = driverKinds.map((driver) => {
      const release = plan[driver] && of(plan[driver]);
      return release?.distribution === 'Native' ? inRegistry(release, deps.registry) : release;
    });
    const releases = { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
    const reached = apiServerPort === undefined ? {} : { apiServerPort };
    const found = { ...accounts, ...reached, openShift, replicas, foreign, clusterIds, kubernetesVersion };
    const input = {
      spec,
      releases,
      standing,
      namespace,
      vcenters: reportedVersions(world.resource, vcenters),
      ...found,
    };
    return eachDriver((only) => {
      if (!releases[only]) return [];
      const objects = renderDrivers({ ...input, only });
      requireRoles(objects, roles);
      requireRegistry(objects, { spec, running: ofDriver(running, only) });
      return objects;
    });
  };
};

/** Why the result of a switch of both drivers cannot be rendered or would be rejected by the API server; or what it needs. Changes nothing. */
export const rehearse = async (deps: PassDeps, world: Survey, plan: DriverPlan, call: Call): Promise<Rehearsed> => {
  const renderAs = await createRenderer(deps, world, plan, call);
  const { objects, failures } = renderAs((decision) => decision.intended ?? broughtTo(decision));
  const [failure] = driverKinds.flatMap((driver) => failures[driver] ?? []);
  const problem = failure ?? (await deps.rehearsal.problem(objects, call));
  return problem ? { problem } : { images: imagesOf(objects) };
};

/** Renders the old and the new release of every change, and uses as much of the new one as the gates allow. */
export const render = async (
  deps: PassDeps,
  world: Survey,
  { plan, failures: unplanned, probed = [] }: Chosen,
  call: Call,
): Promise<Rendered> => {
  const { spec, running } = world;
  if (!spec.cpi && !spec.csi) return { objects: [], adopted: [], takenOver: [], failures: unplanned };
  const renderAs = await createRenderer(deps, world, plan, call);
  const { objects: next, failures: unbuilt } = renderAs(broughtTo);
  const failures = { ...unbuilt, ...unplanned };
  const [failure] = driverKinds.flatMap((driver) => failures[driver] ?? []);
  // A first installation is complete or not started.
  if (failure && !world.installed) throw failure;
  const built = driverKinds.filter((driver) => !plan[driver]?.leave && !failures[driver]);
  const adoptable = built.flatMap((driver) => ofDriver(running, driver));
  const changes = driverKinds.some((driver) => plan[driver] && plan[driver].release !== plan[driver].previous);
  const openShift = world.platform.kind === 'OpenShift';
  const probe = renderImageProbe(probed, { spec, namespace: deps.namespace, openShift });
  const rendered = (objects: readonly AnyObject[], replaced: ReadonlySet<Component>): Rendered => ({
    objects: [...objects, ...probe],
    adopted: missingFrom(adoptedRefs(adoptable, replaced), objects.map(refOf)),
    takenOver: takenOver(adoptable, objects, replaced),
    failures,
  });
  if (!changes) return rendered(next, new Set(adoptable.map((one) => one.component)));
  const targets = Object.fromEntries(
    driverKinds.flatMap((driver) => (plan[driver] && !plan[driver].leave ? [[driver, plan[driver].release]] : [])),
  );
  // A running driver that can no longer be rendered is not kept back.
  const { objects: previous } = renderAs((decision) => (decision.leave ? undefined : decision.previous));
  const composition = { next, previous, targets, running };
  const lingering = lingeringComponents(composition);
  const gone = [...movingComponents(composition)].filter((component) => !lingering.has(component));
  return rendered(composeObjects(composition), new Set(gone));
};
