import { VdoError } from '@vdo/base/vdo-error';
import type { Release } from './matrix.ts';
import type { PickInput } from './pick-input.ts';
import { type Rejection, reasonsAgainst } from './reasons-against.ts';
import { compareReleases } from './versions.ts';

export interface Pick {
  readonly release: Release;
  /** Why this release. */
  readonly explanation: string;
  /** The newest compatible release, if the policy does not install it. */
  readonly available?: Release;
  /** Every release of the driver that is not possible, newest first, with its reasons. */
  readonly rejected: readonly Rejection[];
}

const newestFirst = (left: Release, right: Release): number => compareReleases(right.version, left.version);

/**
 * Selects the release of one driver: compatible with Kubernetes and with all vCenters, not older than the running one, and according to the
 * policy. Throws NoCompatibleRelease, or ReleaseLayoutUnknown if only a newer operator is missing, with the reasons
 * for each release.
 */
export const pickRelease = (input: PickInput): Pick => {
  const releases = input.matrix.releases
    .filter(({ driver, distribution }) => driver === input.driver && distribution === input.distribution)
    .sort(newestFirst);
  const judged = releases.map((release) => ({ release, reasons: reasonsAgainst(release, releases, input) }));
  const possible = judged.filter(({ reasons }) => reasons.length === 0).map(({ release }) => release);
  const rejected = judged.filter(({ reasons }) => reasons.length > 0);
  const newest = possible[0];
  const wanted = input.wanted === undefined ? undefined : find(possible, input.wanted);
  const running = input.installed === undefined ? undefined : find(possible, input.installed);

  if (input.policy === 'Pinned' || (input.policy === 'Manual' && input.wanted !== undefined)) {
    if (!wanted) throw noRelease(input, rejected);
    return withAvailable({ release: wanted, explanation: 'it is set in spec.updates.versions', rejected }, newest);
  }
  if (!newest) throw noRelease(input, rejected);
  if (input.policy === 'Manual' && running) {
    return withAvailable(
      { release: running, explanation: 'it is running, and the update policy is Manual', rejected },
      newest,
    );
  }
  return { release: newest, explanation: 'it is the newest compatible release', rejected };
};

const find = (releases: readonly Release[], version: string): Release | undefined =>
  releases.find((release) => compareReleases(release.version, version) === 0);

const withAvailable = (pick: Omit<Pick, 'available'>, newest: Release | undefined): Pick =>
  newest && compareReleases(newest.version, pick.release.version) > 0 ? { ...pick, available: newest } : pick;

const describeWorld = ({ kubernetesVersion, vcenterVersions }: PickInput): string =>
  [
    `Kubernetes ${kubernetesVersion}`,
    ...vcenterVersions.map(({ server, version }) => `vCenter ${server} ${version}`),
  ].join(', ');

const noRelease = (input: PickInput, rejected: readonly Rejection[]): VdoError => {
  const { driver, distribution, wanted, matrix } = input;
  const what = `${distribution} ${driver.toUpperCase()}${wanted === undefined ? '' : ` ${wanted}`}`;
  const relevant = rejected.filter(
    ({ release }) => wanted === undefined || compareReleases(release.version, wanted) === 0,
  );
  const details = { rejected: rejected.map(({ release, reasons }) => ({ version: release.version, reasons })) };
  const onlyLayout = relevant.find(({ reasons }) => reasons.every(({ kind }) => kind === 'LayoutUnknown'));
  if (onlyLayout) {
    const operator = onlyLayout.release.minOperator;
    return new VdoError({
      code: 'ReleaseLayoutUnknown',
      message: `${what}: release ${onlyLayout.release.version} is compatible, but this operator does not know its manifest layout (layout ${onlyLayout.release.layout})`,
      remedy: `Upgrade the operator${operator === undefined ? '' : ` to ${operator} or later`}.`,
      details,
    });
  }
  const list = relevant.map(
    ({ release, reasons }) => `${release.version}: ${reasons.map(({ text }) => text).join(', ')}`,
  );
  const unlisted = wanted === undefined ? 'it lists no releases of this driver' : 'it does not list that release';
  return new VdoError({
    code: 'NoCompatibleRelease',
    message: `no release of ${what} is compatible with ${describeWorld(input)} (matrix ${matrix.serial}): ${list.length > 0 ? list.join('; ') : unlisted}`,
    remedy: remedyFor(input, relevant),
    details,
  });
};

const remedyFor = ({ wanted, driver }: PickInput, rejected: readonly Rejection[]): string => {
  const kinds = new Set(rejected.flatMap(({ reasons }) => reasons.map(({ kind }) => kind)));
  if (wanted !== undefined)
    return `Set another release in spec.updates.versions.${driver}, or set spec.updates.policy to Automatic.`;
  if (kinds.has('TooNew'))
    return 'Set spec.updates.matrix to a newer compatibility matrix, or upgrade the operator, whose image contains one.';
  if (kinds.has('TooOld')) return 'Upgrade Kubernetes or vCenter to a version that the releases support.';
  return 'Set spec.updates.matrix to another compatibility matrix.';
};
