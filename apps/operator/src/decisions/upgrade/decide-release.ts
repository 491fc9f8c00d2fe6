import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { parseDurationMs } from '@vdo/config/duration';
import type { DriverKind, Matrix, Release } from '@vdo/releases/matrix';
import { type Pick, pickRelease } from '@vdo/releases/pick-release';
import {
  type BadRelease,
  type DriverHistory,
  type ReleaseName,
  relevantBad,
  sameRelease,
} from '@vdo/releases/release-history';
import { knownLayouts } from '@vdo/releases/render/layouts';
import { compareReleases } from '@vdo/releases/versions';
import { type ComponentObservation, componentsOf, type UpgradeHold } from '../../observation.ts';
import type { TransitionEvent } from '../transitions.ts';
import { reachedBy, runningRelease, settleTarget } from './settle-target.ts';
import { standsAgainst } from './upgrade-gates.ts';

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
  /** The time of day, for windows. */
  readonly nowMs: number;
  /** The time by which rollouts are measured, and when this process began to look. */
  readonly steadyMs: number;
  readonly watchingSinceMs: number;
  /** What the checks say about upgrades; undefined if they have not run. */
  readonly upgradeable: 'True' | 'False' | 'Unknown' | undefined;
  /** Why no upgrade may start now, whatever the release. */
  readonly busy?: UpgradeHold;
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

/** The release to run, or what stands against each while the good one runs on. */
const choose = (
  input: ReleaseInput,
  history: DriverHistory,
  running: Release | undefined,
): { readonly release: Release; readonly pick?: Pick; readonly rollback: boolean; readonly problem?: VdoError } => {
  const { driver, spec } = input;
  const bad = relevantBad(history, { serial: input.matrix.serial, generation: input.generation });
  const wanted = spec.updates.policy === 'Automatic' ? undefined : spec.updates.versions?.[driver];
  const { good } = history;
  const refused = bad.find(({ distribution, version }) => distribution === spec.distribution && version === wanted);
  if (good && refused) {
    const problem = rolledBackError(input, refused, good);
    return { release: good, rollback: true, problem };
  }
  const runsBad = input.running.some(({ version = '', distribution }) =>
    bad.some((one) => version !== '' && sameRelease(one, { version, distribution })),
  );
  if (good && runsBad) return { release: good, rollback: true };
  const installed = running?.distribution === spec.distribution ? running.version : undefined;
  try {
    const pick = pickRelease({
      matrix: withoutBad(input.matrix, driver, bad),
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
    return { release: pick.release, pick, rollback: false };
  } catch (error) {
    if (!isVdoError(error) || !good || !running || !sameRelease(good, running)) throw error;
    return { release: good, rollback: false, problem: error };
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

/**
 * Which release a driver is brought to, and what is to be remembered: picks, waits for gates, notices that a rollout is
 * over or stuck, and goes back to the last good release. Throws if nothing fits and nothing good runs.
 */
export const decideRelease = (input: ReleaseInput): ReleaseDecision => {
  const { driver, matrix, steadyMs } = input;
  const settled = settleTarget({
    ...input,
    nowMs: steadyMs,
    deadlineMs: parseDurationMs(input.spec.updates.progressDeadline) ?? 0,
  });
  const running = runningRelease(input.running, settled.history, matrix);
  const chosen = choose(input, settled.history, running);
  const { release, rollback, problem } = chosen;
  const available = chosen.pick?.available?.version;
  const told = { ...(problem ? { problem } : {}), ...(available === undefined ? {} : { available }) };
  const { target, ...known } = settled.history;

  const isOurs = input.running.some(({ ours }) => ours);
  // What somebody else installed is not ours to build: it stays as it is until its turn comes.
  const old = running && isOurs ? { previous: running } : {};
  if (target && sameRelease(target, release))
    return { release, ...old, history: settled.history, news: settled.news, ...told };

  if (input.running.length === 0 || reachedBy(release, input.running)) {
    const allThere = componentsOf(driver).every((component) =>
      input.running.some((one) => one.component === component),
    );
    const healthy = allThere && input.running.every((one) => one.settled);
    const history = healthy && !rollback ? { ...known, good: release } : known;
    return { release, previous: release, history, news: settled.news, ...told };
  }

  const hold = rollback ? undefined : standsAgainst(input, release, running);
  if (hold && running) {
    const newest =
      compareReleases(release.version, running.version) === 0 ? told : { ...told, available: release.version };
    const kept = isOurs ? {} : { leave: true };
    return { release: running, previous: running, history: known, hold, news: settled.news, ...newest, ...kept };
  }
  const name = { distribution: release.distribution, version: release.version };
  const begun = { ...name, rollback, sinceMs: steadyMs };
  const news = changeNews(input, { running, release, rollback });
  return { release, ...old, history: { ...known, target: begun }, news: [...settled.news, ...news], ...told };
};
