import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { contestView } from './decisions/contest.ts';
import { ofDriver } from './decisions/drivers.ts';
import { repairNews } from './decisions/repair-news.ts';
import type { TransitionEvent } from './decisions/transitions.ts';
import { mayBePruned } from './decisions/upgrade/may-be-pruned.ts';
import type { DriverFailures, DriverPlan } from './decisions/upgrade/plan-drivers.ts';
import { findFormerRights } from './gather/former-rights.ts';
import type { ChecksObservation, Observation } from './observation.ts';
import { census, obstacleOf, requireVCenters } from './pass/census.ts';
import { check, requireInstallable } from './pass/check.ts';
import { choose, driverKinds, failureView, planView } from './pass/choose.ts';
import type { Call, PassDeps } from './pass/deps.ts';
import { observe } from './pass/observe.ts';
import { requireOwnId } from './pass/own-id.ts';
import { rehearse, render } from './pass/render.ts';
import { type Survey, survey } from './pass/survey.ts';

export interface Convergence {
  readonly observation: Observation;
  /** Changes of releases, for events. */
  readonly news: readonly TransitionEvent[];
}

export const wantedDrivers = ({ spec }: VSphereDrivers): Observation['wanted'] => ({
  cpi: spec?.cpi !== undefined,
  csi: spec?.csi !== undefined,
});

/** Drivers that stay as they are: they cannot be rendered, or they are ours and wait, or the platform now manages them and they may be in use. */
const stayingDrivers = ({ platform, running }: Survey, plan: DriverPlan, failures: DriverFailures) =>
  driverKinds.filter((driver) => {
    const isOurs = ofDriver(running, driver).some(({ ours }) => ours);
    return failures[driver] || (isOurs && (platform.managed[driver] || plan[driver]?.leave));
  });

/** Checks whose failure suggests that a vCenter is unavailable or rejects the account. */
const isContact = /^(vcenter\/(dns|tcp|answers|tls-trust|thumbprint)|credentials\/login)$/;

/**
 * One pass: survey, choose, render, apply, observe, check. Each step is in its own file under pass/. A failed step
 * stops the changes, not the report. Throws only if cancelled.
 */
export const converge = async (deps: PassDeps, resource: VSphereDrivers, call: Call): Promise<Convergence> => {
  let wanted = wantedDrivers(resource);
  let learned: Observation = { vcenters: [], drivers: [], wanted };
  let plan: DriverPlan = {};
  let world: Survey | undefined;
  const writesBefore = deps.applyMemory.writes();
  const learn = (part: Partial<Observation>): void => {
    // The first failure is the cause of those that follow.
    learned = { ...learned, ...part, ...(learned.failure ? { failure: learned.failure } : {}) };
  };
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      call.signal.throwIfAborted();
      // The current leader applies and reports it.
      if (isVdoError(error, 'LeaseLost')) throw error;
      learn({ failure: toVdoError(error) });
    }
  };

  /** Runs the checks whose time has come, wherever in the pass; what they find of a vCenter counts more than what is remembered of it. */
  const look = async (surveyed: Survey, options: Parameters<typeof check>[2]): Promise<ChecksObservation> => {
    const before = deps.checks.last();
    const checks = await check(deps, surveyed, options, call);
    learn({ checks });
    const isLost = checks.summary.failing?.some(({ id, result }) => isContact.test(id) && result === 'Fail');
    const trusted = learned.vcenters.every(({ reachError, loginError }) => !reachError && !loginError);
    if (checks !== before && isLost && trusted && deps.observer.invalidate()) learn({ doubtful: true });
    return checks;
  };

  await attempt(async () => {
    const read = await deps.specs.read(resource);
    wanted = wantedDrivers(read.resource);
    learn({ wanted });
    world = await survey(deps, read, learn, call);
    const counted = await census(deps, world, call);
    if (counted.volumes) learn({ volumes: counted.volumes });
    requireVCenters(world.resource, counted.volumes);
    const surveyed = world;
    const options = {
      obstacle: obstacleOf(deps, world, counted),
      rehearse: (ahead: DriverPlan) => rehearse(deps, surveyed, ahead, call),
    };
    const chosen = await choose(deps, world, options, call);
    plan = chosen.plan;
    learn(planView(chosen));
    // Storage that cannot be removed yet is shown as it is.
    if (isVdoError(chosen.failures.csi, 'VolumesInUse')) {
      wanted = { ...wanted, csi: true };
      learn({ wanted });
    }
    const wrongId = await requireOwnId(deps, world, call);
    if (wrongId) learn({ failure: wrongId });
    const { objects, adopted, takenOver, failures } = await render(deps, world, chosen, call);
    learn(failureView(failures));
    if (!world.installed) requireInstallable(await look(world, { plan, planned: objects, settling: true }));
    const former = [...adopted, ...(await findFormerRights(deps.kube, takenOver, call))];
    if (former.length > 0) await deps.adopt(former, call);
    const prune = mayBePruned(stayingDrivers(world, plan, failures), world.running);
    if (objects.length > 0) learn({ pruning: await deps.apply(objects, { ...call, prune }) });
    learn(contestView(deps.applyMemory.contests()));
  });
  await attempt(async () => {
    const waits = await deps.leftLeases.settle({ ...call, nowMs: deps.clock.now() });
    if (waits) learn({ holds: [waits, ...(learned.holds ?? [])] });
  });
  const known = deps.applyMemory.writes() === writesBefore ? world?.running : undefined;
  await attempt(async () => learn(await observe(deps, wanted, plan, { ...call, known })));
  await attempt(async () => {
    if (!world) return;
    const { cni, updates } = world.spec;
    if (cni?.manifest) deps.network.forget();
    learn(await deps.cni.keep(cni?.manifest, { ...call, trustedKeys: updates.trustedKeys }));
  });
  await attempt(async () => {
    const known = deps.checks.last();
    const surveyed = world;
    const settling = learned.drivers.some(({ rollingOut, target }) => rollingOut || target !== undefined);
    if (surveyed?.installed) await look(surveyed, { plan, settling });
    else if (known) learn({ checks: known });
    // Faults and repairs in vCenter show at once. Before the drivers exist, only what prevents their installation counts.
    deps.vcenters.watch(surveyed?.installed === true || deps.checks.awaitsInventory());
  });
  await attempt(async () => {
    if (world?.installed && !world.unread) await deps.specs.keep(world.resource, call);
  });
  const releaseNews = driverKinds.flatMap((driver) => plan[driver]?.news ?? []);
  return { observation: learned, news: [...releaseNews, ...repairNews(deps.takeRepairs())] };
};
