import type { Distribution, DriverKind, Matrix, Release } from './matrix.ts';
import { compareReleases } from './versions.ts';

/** Which release, without what it is made of. */
export interface ReleaseName {
  readonly distribution: Distribution;
  readonly version: string;
}

/** A change of release that has begun and is not over. */
export interface ReleaseTarget extends ReleaseName {
  /** True on the way back to the last good release. */
  readonly rollback: boolean;
  /** The smallest remaining work of the rollout so far, and of how many pods; undefined before its first observation. */
  readonly left?: number;
  readonly of?: number;
  /** When this was noted, by the clock of who noted it: no time of another process is compared with it. */
  readonly sinceMs: number;
  /** How long no less was left by then. A note of the first release has none. */
  readonly stoodMs?: number;
}

/** A release that did not become healthy here, and the world in which it did not. */
export interface BadRelease extends ReleaseName {
  readonly reason: string;
  readonly serial: number;
  readonly generation: number;
}

/** What has to be remembered of one driver: it cannot be read from its workloads. */
export interface DriverHistory {
  /** The last release that was healthy on every pod, whole, so that it can be built when the matrix has forgotten it. */
  readonly good?: Release;
  /** Those that were good before it, whole, the latest first. A note of the first release has none. */
  readonly former?: readonly Release[];
  readonly target?: ReleaseTarget;
  readonly bad: readonly BadRelease[];
}

export type ReleaseHistory = Readonly<Partial<Record<DriverKind, DriverHistory>>>;

export const noHistory: DriverHistory = { bad: [] };

export const sameRelease = (a: ReleaseName, b: ReleaseName): boolean =>
  a.distribution === b.distribution && compareReleases(a.version, b.version) === 0;

/** So many releases that were good before the last one are remembered. */
const earlierReleasesKept = 8;

/** The history in which a release has become the last good one. */
export const withGood = (history: DriverHistory, good: Release): DriverHistory => {
  const { good: before, former = [] } = history;
  const others = [...(before ? [before] : []), ...former]
    .filter((one) => !sameRelease(one, good))
    .slice(0, earlierReleasesKept);
  return { ...history, good, ...(others.length > 0 ? { former: others } : {}) };
};

/** Whether a driver was whole here, and is not uninstalled: that takes the note away. */
export const hasRun = ({ cpi, csi }: ReleaseHistory): boolean => [cpi, csi].some((one) => one?.good !== undefined);

/** Every release that was healthy here, the latest first. */
export const knownGood = ({ good, former = [] }: DriverHistory): readonly Release[] => [
  ...(good ? [good] : []),
  ...former,
];

/** The matrix, extended by releases that were healthy here but are no longer listed: a rollback must not depend on a publication. */
export const withKnown = (matrix: Matrix, history: DriverHistory): Matrix => {
  const isListed = (one: Release) =>
    matrix.releases.some((listed) => listed.driver === one.driver && sameRelease(listed, one));
  const forgotten = knownGood(history).filter((one) => !isListed(one));
  return forgotten.length === 0 ? matrix : { ...matrix, releases: [...matrix.releases, ...forgotten] };
};

/** The release to go back to: what was healthy last, if another one runs; else the newest that is older than it. */
export const releaseBefore = (history: DriverHistory, running: ReleaseName | undefined): Release | undefined => {
  const { good } = history;
  if (!running || !good || !sameRelease(good, running)) return good;
  return knownGood(history)
    .filter(
      ({ distribution, version }) =>
        distribution === running.distribution && compareReleases(version, running.version) < 0,
    )
    .sort((a, b) => compareReleases(b.version, a.version))[0];
};

/** Bad releases count only in the world in which they failed: a new matrix or a changed spec gives them another chance. */
export const relevantBad = (
  history: DriverHistory,
  world: { readonly serial: number; readonly generation: number },
): readonly BadRelease[] =>
  history.bad.filter(({ serial, generation }) => serial === world.serial && generation === world.generation);
