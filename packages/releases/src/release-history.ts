import type { Distribution, DriverKind, Matrix, Release } from './matrix.ts';
import { compareReleases } from './versions.ts';

/** Identifies a release, without its content. */
export interface ReleaseName {
  readonly distribution: Distribution;
  readonly version: string;
}

/** A change of release in progress. */
export interface ReleaseTarget extends ReleaseName {
  /** True for a rollback to the last good release. */
  readonly rollback: boolean;
  /** The smallest remaining work of the rollout so far, and the number of pods; undefined before its first observation. */
  readonly left?: number;
  readonly of?: number;
  /** When this was recorded, by the clock of the recording process: it is not compared with times of other processes. */
  readonly sinceMs: number;
  /** For how long the remaining work had not decreased by then. Records of the first release do not have it. */
  readonly stoodMs?: number;
}

/** A release that did not become healthy here, and the circumstances. */
export interface BadRelease extends ReleaseName {
  readonly reason: string;
  readonly serial: number;
  readonly generation: number;
}

/** What must be stored about one driver, because it cannot be read from its workloads. */
export interface DriverHistory {
  /** The last release that was healthy on every pod, complete, so that it can be rendered when the matrix no longer lists it. */
  readonly good?: Release;
  /** Earlier good releases, complete, the latest first. Records of the first release do not have it. */
  readonly former?: readonly Release[];
  readonly target?: ReleaseTarget;
  readonly bad: readonly BadRelease[];
}

export type ReleaseHistory = Readonly<Partial<Record<DriverKind, DriverHistory>>>;

export const noHistory: DriverHistory = { bad: [] };

export const sameRelease = (a: ReleaseName, b: ReleaseName): boolean =>
  a.distribution === b.distribution && compareReleases(a.version, b.version) === 0;

/** Number of good releases before the last one that are stored. */
const earlierReleasesKept = 8;

/** The history after a release has become the last good one. */
export const withGood = (history: DriverHistory, good: Release): DriverHistory => {
  const { good: before, former = [] } = history;
  const others = [...(before ? [before] : []), ...former]
    .filter((one) => !sameRelease(one, good))
    .slice(0, earlierReleasesKept);
  return { ...history, good, ...(others.length > 0 ? { former: others } : {}) };
};

/** Whether a driver was fully healthy here and is not uninstalled, which removes the record. */
export const hasRun = ({ cpi, csi }: ReleaseHistory): boolean => [cpi, csi].some((one) => one?.good !== undefined);

/** Every release that was healthy here, the latest first. */
export const knownGood = ({ good, former = [] }: DriverHistory): readonly Release[] => [
  ...(good ? [good] : []),
  ...former,
];

/** The matrix, extended by releases that were healthy here but are no longer listed: a rollback must not depend on their publication. */
export const withKnown = (matrix: Matrix, history: DriverHistory): Matrix => {
  const isListed = (one: Release) =>
    matrix.releases.some((listed) => listed.driver === one.driver && sameRelease(listed, one));
  const forgotten = knownGood(history).filter((one) => !isListed(one));
  return forgotten.length === 0 ? matrix : { ...matrix, releases: [...matrix.releases, ...forgotten] };
};

/** The release for a rollback: the last healthy one, if another one runs; else the newest good one that is older than it. */
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

/** Bad releases count only while nothing has changed: a new matrix or a changed spec gives them another chance. */
export const relevantBad = (
  history: DriverHistory,
  world: { readonly serial: number; readonly generation: number },
): readonly BadRelease[] =>
  history.bad.filter(({ serial, generation }) => serial === world.serial && generation === world.generation);
