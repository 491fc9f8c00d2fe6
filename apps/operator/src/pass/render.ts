import { readClusterIds } from '@vdo/gather/read-cluster-ids';
import { type ObjectRef, refOf } from '@vdo/kube/apply/object-ref';
import { missingFrom } from '@vdo/kube/apply/phases';
import type { AnyObject } from '@vdo/kube/types/object';
import type { DriverKind, Release } from '@vdo/releases/matrix';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { adoptedRefs } from '../decisions/adoption.ts';
import { ofDriver } from '../decisions/drivers.ts';
import { composeObjects, movingComponents } from '../decisions/upgrade/compose-objects.ts';
import type { DriverPlan } from '../decisions/upgrade/plan-drivers.ts';
import { readAccounts } from '../gather/accounts.ts';
import { detectSnapshots } from '../gather/detect-snapshots.ts';
import type { Component } from '../observation.ts';
import { driverKinds } from './choose.ts';
import type { Call, PassDeps } from './deps.ts';
import type { Survey } from './survey.ts';

export interface Rendered {
  readonly objects: readonly AnyObject[];
  /** Workloads of others that go when these are applied; those of the same name and place become ours instead. */
  readonly adopted: readonly ObjectRef[];
}

type Decision = NonNullable<DriverPlan[DriverKind]>;

/** Renders both ends of every change and takes as much of the new one as the gates let through. */
export const render = async (deps: PassDeps, world: Survey, plan: DriverPlan, { signal }: Call): Promise<Rendered> => {
  const { spec, running, platform, vcenters, kubernetesVersion } = world;
  const { kube, namespace } = deps;
  if (!spec.cpi && !spec.csi) return { objects: [], adopted: [] };
  const accounts = await readAccounts(kube, spec, { namespace, proven: deps.proven, observed: vcenters, signal });
  const foreign = spec.csi?.snapshots?.install ? await detectSnapshots(kube, { signal }) : {};
  const clusterIds = spec.csi ? await readClusterIds(kube, { namespace, signal }) : {};
  const openShift = platform.kind === 'OpenShift';
  const renderAs = (of: (decision: Decision) => Release | undefined) => {
    const [cpi, csi] = driverKinds.map((driver) =>
      plan[driver]?.leave ? undefined : plan[driver] && of(plan[driver]),
    );
    const releases = { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
    return renderDrivers({ spec, releases, accounts, namespace, openShift, foreign, clusterIds, kubernetesVersion });
  };
  const adoptable = driverKinds.filter((driver) => !plan[driver]?.leave).flatMap((driver) => ofDriver(running, driver));
  const next = renderAs(({ release }) => release);
  const changes = driverKinds.some((driver) => plan[driver] && plan[driver].release !== plan[driver].previous);
  const rendered = (objects: readonly AnyObject[], moving: ReadonlySet<Component>): Rendered => ({
    objects,
    adopted: missingFrom(adoptedRefs(adoptable, moving), objects.map(refOf)),
  });
  if (!changes) return rendered(next, new Set(adoptable.map((one) => one.component)));
  const targets = Object.fromEntries(
    driverKinds.flatMap((driver) => (plan[driver] ? [[driver, plan[driver].release]] : [])),
  );
  const composition = { next, previous: renderAs(({ previous }) => previous), targets, running };
  return rendered(composeObjects(composition), movingComponents(composition));
};
