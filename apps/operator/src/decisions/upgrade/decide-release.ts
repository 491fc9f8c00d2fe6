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
  /** The release of which something but no workload is left: what was deleted may not be noted. */
  readonly left?: ReleaseName;
  /** The time of day, for windows. */
  readonly nowMs: number;
  /** The time by which rollouts are measured, and when this process began to look. */
  readonly steadyMs: number;
  readonly watchingSinceMs: number;
  /** What the checks say about upgrades; undefined if they have not run. */
  readonly upgradeable: 'True' | 'False' | 'Unknown' | undefined;
  /** Why no upgrade may start now, whatever the release. */
  readonly busy?: UpgradeHold;
  /** Why no switch of the distribution may begin. */
  readonly noSwitch?: UpgradeHold;
}

export interface ReleaseDecision {
  /** The release that the driver is brought to. */
  readonly release: Release;
  /** What the components keep that are not yet on their way; absent: they are left as they are. */
  readonly previous?: Release;
  readonly history: DriverHistory;
  /** The newest compatible release, if another one is installed or kept. */
  readonly available?: string;
  readonly hold?: UpgradeHold;
  /** The release of another distribution that the driver would be brought to, were there no hold. */
  readonly intended?: Release;
  /** True while a driver that somebody else installed waits for its turn: nothing of it is applied. */
  readonly leave?: boolean;
  /** What could not be done although the driver runs on. */
  readonly problem?: VdoError;
  readonly news: readonly TransitionEvent[];
}

const withoutBad = (matrix: Matrix, driver: DriverKind, bad: readonly BadRelease[]): Matrix => ({
  ...matrix,
  releases: matrix.releases.map((release) => {
    const failed = release.driver === driver && bad.find((one) => sameRelease(one, release));
    return failed ? { ...release, bad: release.bad ?? `it was rolled back here: ${failed.reason}` } : release;
  }),
});

const rolledBackError = ({ driver, spec }: ReleaseInput, bad: BadRelease, good: Release): VdoError =>
  new VdoError({
    code: 'ReleaseRolledBack',
    message: `${driver.toUpperCase()} ${bad.version} was rolled back to ${good.version}: ${bad.reason}`,
    remedy: `Name another release in spec.updates.versions.${driver}${spec.updates.policy === 'Pinned' ? ', or set spec.updates.policy to Automatic' : ''}. To try ${bad.version} again, change the spec once its cause is gone, for instance spec.advanced.`,
  });

const switchedBackError = ({ driver, spec }: ReleaseInput, bad: BadRelease, good: Release): VdoError =>
  new VdoError({
    code: 'ReleaseRolledBack',
    message: `${driver.toUpperCase()} went back from ${bad.distribution} ${bad.version} to ${good.distribution} ${good.version} and stays there: ${bad.reason}`,
    remedy: `Set spec.distribution to ${good.distribution}. To try ${spec.distribution} again, change the spec once the cause is gone, for instance spec.advanced.`,
  });

const keptError = ({ driver }: ReleaseInput, running: Release, reasons: readonly string[]): VdoError =>
  new VdoError({
    code: 'NoCompatibleRelease',
    message: `${driver.toUpperCase()} ${running.version} runs although the matrix is against it (${reasons.join(', ') || 'it does not list it'}); policy Manual keeps it`,
    remedy: `Name another release in spec.updates.versions.${driver}, or set spec.updates.policy to Automatic.`,
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

const unknownRelease = ({ driver, running }: ReleaseInput): VdoError =>
  new VdoError({
    code: 'NoCompatibleRelease',
    message: `${driver.toUpperCase()} ${running[0]?.version ?? ''} runs, but neither the matrix nor the records know it: it can be kept, not repaired`,
    remedy: `Provide a matrix that lists it in spec.updates.matrix, or name another release in spec.updates.versions.${driver}.`,
  });

/** Nothing of it is left: somebody has deleted it all, or it was never there. */
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

/** The last good release, if the wanted or the running one was found wrong here. */
const takeBack = (
  input: ReleaseInput,
  { good, target }: DriverHistory,
  { bad, wanted }: { readonly bad: readonly BadRelease[]; readonly wanted: string | undefined },
): Choice | undefined => {
  if (!good) return undefined;
  const { distribution: asked } = input.spec;
  const refused = bad.find(({ distribution, version }) => distribution === asked && version === wanted);
  if (refused) return { release: good, rollback: true, problem: rolledBackError(input, refused, good) };
  // A switch that failed is not tried with each older release: every attempt costs time, and most fail for the same cause.
  const switched = good.distribution !== asked && bad.find(({ distribution }) => distribution === asked);
  if (switched) return { release: good, rollback: true, problem: switchedBackError(input, switched, good) };
  // What has begun to go back goes all the way, also when nothing of the bad release is left to be seen.
  if (bad.length > 0 && target?.rollback && sameRelease(target, good)) return { release: good, rollback: true };
  const runsBad = input.running.some(({ version = '', distribution }) =>
    bad.some((one) => version !== '' && sameRelease(one, { version, distribution })),
  );
  return runsBad ? { release: good, rollback: true } : undefined;
};

/** The release that a change is on its way to, unless the matrix has turned against it. What goes back goes all the way. */
const targetRelease = (
  { driver, matrix }: ReleaseInput,
  target: ReleaseName & { readonly rollback: boolean },
  history: DriverHistory,
): Release | undefined => {
  const listed = withKnown(matrix, history).releases.find((one) => one.driver === driver && sameRelease(one, target));
  return target.rollback || listed?.bad === undefined ? listed : undefined;
};

/** The last good release, if a change is on its way that must not get further: its release was withdrawn, or it is going back already. */
const wayBack = (input: ReleaseInput, history: DriverHistory): Release | undefined => {
  const { good, target } = history;
  return target && (target.rollback || !targetRelease(input, target, history)) ? good : undefined;
};

const isSame = (one: Release | undefined, other: Release | undefined): boolean =>
  one !== undefined && other !== undefined && sameRelease(one, other);

/** What stays when no release fits: what runs, if it was good here or the policy keeps it. */
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

/** What runs, and its name where nobody knows what it is made of. */
interface Installed {
  readonly running: Release | undefined;
  readonly name: ReleaseName | undefined;
}

/** What was whole and has been deleted counts as running: it comes back as it was, and every gate holds for what is to come after it. */
const installedNow = (input: ReleaseInput, history: DriverHistory): Installed => {
  const { driver, left } = input;
  const known = withKnown(input.matrix, history).releases;
  const deleted = () =>
    history.good ?? known.find((one) => one.driver === driver && left !== undefined && sameRelease(one, left));
  const running = runningRelease(input.running, history, input.matrix) ?? (isGone(input) ? deleted() : undefined);
  return { running, name: running ?? oldestOfOurs(input.running) };
};

/** The release to run, or what stands against each while the good one runs on. */
const choose = (input: ReleaseInput, history: DriverHistory, { running, name }: Installed): Choice => {
  const { driver, spec } = input;
  const bad = relevantBad(history, { serial: input.matrix.serial, generation: input.generation });
  const wanted = spec.updates.policy === 'Automatic' ? undefined : spec.updates.versions?.[driver];
  const taken = takeBack(input, history, { bad, wanted });
  if (taken) return taken;
  const back = wayBack(input, history);
  const installed = name?.distribution === spec.distribution ? name.version : undefined;
  // Policy Manual: what runs stays, whatever the matrix says of it now, until a person names another.
  const keeps = spec.updates.policy === 'Manual' && wanted === undefined && isOurs(input, running);
  if (keeps && !running) throw unknownRelease(input);
  try {
    const pick = pickRelease({
      // By name one can go to what was healthy here, though the matrix has forgotten it; by itself nothing does.
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
    // No gate holds that up: it needs no vCenter, and each minute brings a withdrawn release to another node.
    return { release: pick.release, pick, rollback: isSame(pick.release, back) };
  } catch (error) {
    return keepOrBack(error, { back, running, keeps: keeps || isSame(history.good, running) });
  }
};

/** What a rollback leaves: some components may never have left the good release. */
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
    ? [{ type: 'Warning', reason: 'RollbackStarted', message: `${name} goes back from ${words}.` }]
    : [{ type: 'Normal', reason: 'UpgradeStarted', message: `${name} goes from ${words}.` }];
};

interface Held {
  readonly hold: UpgradeHold;
  readonly running: Release | undefined;
  /** What would be installed, were there no hold. */
  readonly release: Release;
  readonly old: Pick<ReleaseDecision, 'previous'>;
  readonly settled: ReturnType<typeof settleTarget>;
  readonly reported: Pick<ReleaseDecision, 'problem' | 'available'>;
}

/** What happens while a newer release has to wait. */
const holdBack = (input: ReleaseInput, { hold, running, release, old, settled, reported }: Held): ReleaseDecision => {
  const { target, ...known } = settled.history;
  const { news } = settled;
  const going = target && targetRelease(input, target, settled.history);
  // What has begun goes on: to stop half-way would take components back that nobody found wrong.
  if (going) return { release: going, ...old, history: settled.history, news, ...reported, available: release.version };
  const back = settled.history.good ?? running;
  if (target && back && !sameRelease(target, back)) {
    const { distribution, version } = back;
    const begun = changeNews(input, { running, release: back, rollback: true });
    const history = { ...known, target: { distribution, version, rollback: true, sinceMs: input.steadyMs } };
    return { release: back, ...old, history, hold, news: [...news, ...begun], ...reported };
  }
  // What nobody can build cannot be kept in repair; what stands against the next release stands all the same.
  if (!running) throw unknownRelease(input);
  const isNewer = compareReleases(release.version, running.version) !== 0;
  const newest = isNewer ? { ...reported, available: release.version } : reported;
  const kept = isOurs(input, running) ? {} : { leave: true };
  const intended = release.distribution === running.distribution ? {} : { intended: release };
  return { release: running, previous: running, history: known, hold, news, ...newest, ...kept, ...intended };
};

/**
 * Which release a driver is brought to, and what is to be remembered: picks, waits for gates, notices that a rollout is
 * over or stuck, and goes back to the last good release. Throws if nothing fits and nothing good runs.
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

  // What somebody else installed is not ours to build: it stays as it is until its turn comes.
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
