import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { parseDurationMs } from '@vdo/config/duration';
import type { DriverKind, Matrix, Release } from '@vdo/releases/matrix';
import { type Pick as PickedRelease, pickRelease } from '@vdo/releases/pick-release';
import {
  type BadRelease,
  type DriverHistory,
  type ReleaseName,
  relevantBad,
  sameRelease,
  withGood,
  withKnown,
} from '@vdo/releases/release-history';
import { knownLayouts } from '@vdo/releases/render/layouts';
import { compareReleases } from '@vdo/releases/versions';
import { type ComponentObservation, componentsOf, type UpgradeHold } from '../../observation.ts';
import type { TransitionEvent } from '../transitions.ts';
import { oldestOfOurs, reachedBy, runningRelease, settleTarget } from './settle-target.ts';
import { upgradeHold } from './upgrade-gates.ts';

export interface ReleaseInput {
  readonly driver: DriverKind;
  readonly spec: VSphereDriversSpec;
  readonly generation: number;
  readonly matrix: Matrix;
  readonly kubernetesVersion: string;
  readonly vcenterVersions: readonly { readonly server: string; readonly version: string }[];
  /** The workloads of this driver. */
  readonly running: readonly ComponentObservation[];
  readonly history: DriverHistory;
  /** The release of the remaining objects if no workload is left: a deleted driver may not be recorded. */
  readonly left?: ReleaseName;
  /** The wall clock, for maintenance windows. */
  readonly nowMs: number;
  /** The clock for rollouts, and when this process started to observe. */
  readonly steadyMs: number;
  readonly watchingSinceMs: number;
  /** The checks' verdict on upgrades; undefined if they have not run. */
  readonly upgradeable: 'True' | 'False' | 'Unknown' | undefined;
  /** Why no upgrade to any release may start now. */
  readonly busy?: UpgradeHold;
  /** Why no switch of the distribution may begin. */
  readonly noSwitch?: UpgradeHold;
}

export interface ReleaseDecision {
  /** The target release of the driver. */
  readonly release: Release;
  /** The release of components whose change has not started; absent: they stay unchanged. */
  readonly previous?: Release;
  readonly history: DriverHistory;
  /** The newest compatible release, if another one is installed or kept. */
  readonly available?: string;
  readonly hold?: UpgradeHold;
  /** The target release of another distribution if there were no hold. */
  readonly intended?: Release;
  /**
   * True while nothing of the driver may be applied or removed: it waits, and what runs cannot be rendered, because another tool installed it
   * or nobody knows its release any more.
   */
  readonly leave?: boolean;
  /** What could not be done; the driver keeps running. */
  readonly problem?: VdoError;
  readonly news: readonly TransitionEvent[];
}

const withoutBad = (matrix: Matrix, driver: DriverKind, bad: readonly BadRelease[]): Matrix => ({
  ...matrix,
  releases: matrix.releases.map((release) => {
    const failed = release.driver === driver && bad.find((one) => sameRelease(one, release));
    return failed
      ? { ...release, bad: release.bad ?? `it was rolled back in this cluster: ${failed.reason}` }
      : release;
  }),
});

const rolledBackError = ({ driver, spec }: ReleaseInput, bad: BadRelease, good: Release): VdoError =>
  new VdoError({
    code: 'ReleaseRolledBack',
    message: `${driver.toUpperCase()} ${bad.version} was rolled back to ${good.version}: ${bad.reason}`,
    remedy: `Set another release in spec.updates.versions.${driver}${spec.updates.policy === 'Pinned' ? ', or set spec.updates.policy to Automatic' : ''}. To try ${bad.version} again, fix the cause and then change the spec, for example spec.advanced.`,
  });

const switchedBackError = ({ driver, spec }: ReleaseInput, bad: BadRelease, good: Release): VdoError =>
  new VdoError({
    code: 'ReleaseRolledBack',
    message: `${driver.toUpperCase()} was rolled back from ${bad.distribution} ${bad.version} to ${good.distribution} ${good.version} and stays there: ${bad.reason}`,
    remedy: `Set spec.distribution to ${good.distribution}. To try ${spec.distribution} again, fix the cause and then change the spec, for example spec.advanced.`,
  });

const keptError = ({ driver }: ReleaseInput, running: Release, reasons: readonly string[]): VdoError =>
  new VdoError({
    code: 'NoCompatibleRelease',
    message: `${driver.toUpperCase()} ${running.version} runs although the compatibility matrix rejects it (${reasons.join(', ') || 'not listed'}); update policy Manual keeps it`,
    remedy: `Set another release in spec.updates.versions.${driver}, or set spec.updates.policy to Automatic.`,
  });

const keptAgainst = (input: ReleaseInput, running: Release, pick: PickedRelease) => {
  const { reasons = [] } = pick.rejected.find((one) => sameRelease(one.release, running)) ?? {};
  const problem = keptError(
    input,
    running,
    reasons.map(({ text }) => text),
  );
  return { release: running, pick: { ...pick, available: pick.release }, rollback: false, problem };
};

/** `awaited`: the release that follows, and why not yet. */
const unknownRelease = (
  { driver, running }: ReleaseInput,
  awaited?: { readonly release: ReleaseName; readonly hold: UpgradeHold },
): VdoError =>
  new VdoError({
    code: 'NoCompatibleRelease',
    message: `${driver.toUpperCase()} ${running[0]?.version ?? ''} runs, but neither the compatibility matrix nor the operator's records list it: it keeps running, but VDO cannot repair it`,
    remedy: awaited
      ? `VDO replaces it by ${awaited.release.distribution} ${awaited.release.version} later: ${awaited.hold.message} To have it repaired until then, set spec.updates.matrix to a matrix that lists it.`
      : `Set spec.updates.matrix to a matrix that lists it, or set another release in spec.updates.versions.${driver}.`,
  });

/** No workload of the driver exists: it was deleted, or never installed. */
const isGone = ({ running }: ReleaseInput): boolean => running.length === 0;

/** Whether the driver is ours: it runs, or it ran and was deleted. */
const isOurs = (input: ReleaseInput, running: Release | undefined): boolean =>
  isGone(input) ? running !== undefined : input.running.some(({ ours }) => ours);

interface Choice {
  readonly release: Release;
  readonly pick?: PickedRelease;
  readonly rollback: boolean;
  readonly problem?: VdoError;
}

/** The last good release, if the wanted or the running release failed in this cluster. */
const takeBack = (
  input: ReleaseInput,
  { good, target }: DriverHistory,
  { bad, wanted }: { readonly bad: readonly BadRelease[]; readonly wanted: string | undefined },
): Choice | undefined => {
  if (!good) return undefined;
  const { distribution: asked } = input.spec;
  const refused = bad.find(({ distribution, version }) => distribution === asked && version === wanted);
  if (refused) return { release: good, rollback: true, problem: rolledBackError(input, refused, good) };
  // A failed switch is not retried with each older release: every attempt takes time, and most fail for the same cause.
  const switched = good.distribution !== asked && bad.find(({ distribution }) => distribution === asked);
  if (switched) return { release: good, rollback: true, problem: switchedBackError(input, switched, good) };
  // A rollback that has begun is completed, even if no object of the bad release is left.
  if (bad.length > 0 && target?.rollback && sameRelease(target, good)) return { release: good, rollback: true };
  const runsBad = input.running.some(({ version = '', distribution }) =>
    bad.some((one) => version !== '' && sameRelease(one, { version, distribution })),
  );
  return runsBad ? { release: good, rollback: true } : undefined;
};

/** The target of a change in progress, unless the matrix has withdrawn it. A rollback is always completed. */
const targetRelease = (
  { driver, matrix }: ReleaseInput,
  target: ReleaseName & { readonly rollback: boolean },
  history: DriverHistory,
): Release | undefined => {
  const listed = withKnown(matrix, history).releases.find((one) => one.driver === driver && sameRelease(one, target));
  return target.rollback || listed?.bad === undefined ? listed : undefined;
};

/** The last good release, if a change in progress must stop: its release was withdrawn, or it is already rolling back. */
const wayBack = (input: ReleaseInput, history: DriverHistory): Release | undefined => {
  const { good, target } = history;
  return target && (target.rollback || !targetRelease(input, target, history)) ? good : undefined;
};

const isSame = (one: Release | undefined, other: Release | undefined): boolean =>
  one !== undefined && other !== undefined && sameRelease(one, other);

/** What stays if no release fits: the running release, if it was healthy here or the policy keeps it. */
const keepOrBack = (
  error: unknown,
  found: { readonly back: Release | undefined; readonly keeps: boolean; readonly running: Release | undefined },
): Choice => {
  const { back, keeps, running } = found;
  if (!isVdoError(error)) throw error;
  if (back) return { release: back, rollback: true, problem: error };
  if (!running || !keeps) throw error;
  return { release: running, rollback: false, problem: error };
};

/** The running release, or only its name if its content is unknown. */
interface Installed {
  readonly running: Release | undefined;
  readonly name: ReleaseName | undefined;
}

/** A complete driver that was deleted counts as running: it is recreated unchanged, and every gate applies to later upgrades. */
const installedNow = (input: ReleaseInput, history: DriverHistory): Installed => {
  const { driver, left } = input;
  const known = withKnown(input.matrix, history).releases;
  const deleted = () =>
    history.good ?? known.find((one) => one.driver === driver && left !== undefined && sameRelease(one, left));
  const running = runningRelease(input.running, history, input.matrix) ?? (isGone(input) ? deleted() : undefined);
  return { running, name: running ?? oldestOfOurs(input.running) };
};

/** The release to run, or why each release is rejected while the good one keeps running. */
const choose = (input: ReleaseInput, history: DriverHistory, { running, name }: Installed): Choice => {
  const { driver, spec } = input;
  const bad = relevantBad(history, { serial: input.matrix.serial, generation: input.generation });
  const wanted = spec.updates.policy === 'Automatic' ? undefined : spec.updates.versions?.[driver];
  const taken = takeBack(input, history, { bad, wanted });
  if (taken) return taken;
  const back = wayBack(input, history);
  const installed = name?.distribution === spec.distribution ? name.version : undefined;
  // Policy Manual: the running release stays, even if the matrix now rejects it, until a person names another.
  const keeps = spec.updates.policy === 'Manual' && wanted === undefined && isOurs(input, running);
  // The other distribution is what a person has asked for.
  if (keeps && !running && installed !== undefined) throw unknownRelease(input);
  try {
    const pick = pickRelease({
      // A release that was healthy here can be named even if the matrix no longer lists it; VDO never picks it by itself.
      matrix: withoutBad(wanted === undefined ? input.matrix : withKnown(input.matrix, history), driver, bad),
      driver,
      distribution: spec.distribution,
      kubernetesVersion: input.kubernetesVersion,
      vcenterVersions: input.vcenterVersions,
      layouts: knownLayouts,
      policy: spec.updates.policy,
      hasCpi: driver === 'cpi' || spec.cpi !== undefined,
      ...(wanted === undefined ? {} : { wanted }),
      ...(installed === undefined ? {} : { installed }),
    });
    const kept = keeps && running?.distribution === spec.distribution ? running : undefined;
    if (kept && !sameRelease(kept, pick.release)) return keptAgainst(input, kept, pick);
    // No gate delays this: it needs no vCenter, and each minute rolls a withdrawn release out to another node.
    return { release: pick.release, pick, rollback: isSame(pick.release, back) };
  } catch (error) {
    return keepOrBack(error, { back, running, keeps: keeps || isSame(history.good, running) });
  }
};

/** What remains after a rollback: some components may never have left the good release. */
const failedRelease = ({ running }: ReleaseInput, good: Release): ReleaseName | undefined =>
  running
    .flatMap(({ version, distribution }) => (version === undefined ? [] : { version, distribution }))
    .find((one) => !sameRelease(one, good));

const changeNews = (
  input: ReleaseInput,
  change: { readonly running: Release | undefined; readonly release: Release; readonly rollback: boolean },
): readonly TransitionEvent[] => {
  const { running, release: to, rollback } = change;
  const from = rollback ? failedRelease(input, to) : running;
  if (!from) return [];
  const name = input.driver.toUpperCase();
  const words = `${from.distribution} ${from.version} to ${to.distribution} ${to.version}`;
  return rollback
    ? [{ type: 'Warning', reason: 'RollbackStarted', message: `Rolling back ${name} from ${words}.` }]
    : [{ type: 'Normal', reason: 'UpgradeStarted', message: `Upgrading ${name} from ${words}.` }];
};

interface Held {
  readonly hold: UpgradeHold;
  readonly running: Release | undefined;
  /** What would be installed if there were no hold. */
  readonly release: Release;
  readonly old: Pick<ReleaseDecision, 'previous'>;
  readonly settled: ReturnType<typeof settleTarget>;
  readonly reported: Pick<ReleaseDecision, 'problem' | 'available'>;
}

/** What runs while a newer release has to wait. */
const holdBack = (input: ReleaseInput, { hold, running, release, old, settled, reported }: Held): ReleaseDecision => {
  const { target, ...known } = settled.history;
  const { news } = settled;
  const going = target && targetRelease(input, target, settled.history);
  // A change that has begun continues: stopping half-way would roll back components that are healthy.
  if (going) return { release: going, ...old, history: settled.history, news, ...reported, available: release.version };
  const back = settled.history.good ?? running;
  if (target && back && !sameRelease(target, back)) {
    const { distribution, version } = back;
    const begun = changeNews(input, { running, release: back, rollback: true });
    const history = { ...known, target: { distribution, version, rollback: true, sinceMs: input.steadyMs } };
    return { release: back, ...old, history, hold, news: [...news, ...begun], ...reported };
  }
  // A release that cannot be rendered cannot be repaired; the reasons against the next release apply all the same.
  if (!running) {
    const problem = reported.problem ?? unknownRelease(input, { release, hold });
    const waiting = { leave: true, hold, intended: release, available: release.version };
    return { release, history: known, news, ...reported, ...waiting, problem };
  }
  const isNewer = compareReleases(release.version, running.version) !== 0;
  const newest = isNewer ? { ...reported, available: release.version } : reported;
  const kept = isOurs(input, running) ? {} : { leave: true };
  const intended = release.distribution === running.distribution ? {} : { intended: release };
  return { release: running, previous: running, history: known, hold, news, ...newest, ...kept, ...intended };
};

/**
 * Decides the target release of a driver and what to record: picks, waits for gates, notices that a rollout is
 * over or stuck, and rolls back to the last good release. Throws if no release fits and no good one runs.
 */
export const decideRelease = (input: ReleaseInput): ReleaseDecision => {
  const { driver, steadyMs } = input;
  const settled = settleTarget({
    ...input,
    nowMs: steadyMs,
    deadlineMs: parseDurationMs(input.spec.updates.progressDeadline) ?? 0,
  });
  const installed = installedNow(input, settled.history);
  const { running } = installed;
  const chosen = choose(input, settled.history, installed);
  const { release, rollback, problem } = chosen;
  const available = chosen.pick?.available?.version;
  const reported = { ...(problem ? { problem } : {}), ...(available === undefined ? {} : { available }) };
  const { target, ...known } = settled.history;

  // A driver that another tool installed cannot be rendered: it stays unchanged until it is taken over.
  const old = running && isOurs(input, running) ? { previous: running } : {};
  if (target && sameRelease(target, release))
    return { release, ...old, history: settled.history, news: settled.news, ...reported };

  const isThere = isGone(input) ? !running || sameRelease(running, release) : reachedBy(release, input.running);
  if (isThere) {
    const allThere = componentsOf(driver).every((component) =>
      input.running.some((one) => one.component === component),
    );
    const healthy = allThere && input.running.every((one) => one.settled);
    const history = healthy && !rollback ? withGood(known, release) : known;
    return { release, previous: release, history, news: settled.news, ...reported };
  }

  const hold = rollback ? undefined : upgradeHold(input, release, installed.name);
  if (hold && installed.name) return holdBack(input, { hold, running, release, old, settled, reported });
  const name = { distribution: release.distribution, version: release.version };
  const begun = { ...name, rollback, sinceMs: steadyMs };
  const news = changeNews(input, { running, release, rollback });
  return { release, ...old, history: { ...known, target: begun }, news: [...settled.news, ...news], ...reported };
};
