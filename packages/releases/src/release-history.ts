import type { Distribution, DriverKind, Release } from './matrix.ts';
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
  /** The least that was left of the rollout, and of how many pods; undefined before it was looked at. */
  readonly left?: number;
  readonly of?: number;
  /** Since when no less is left. */
  readonly sinceMs: number;
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
  readonly target?: ReleaseTarget;
  readonly bad: readonly BadRelease[];
}

export type ReleaseHistory = Readonly<Partial<Record<DriverKind, DriverHistory>>>;

export const noHistory: DriverHistory = { bad: [] };

export const sameRelease = (a: ReleaseName, b: ReleaseName): boolean =>
  a.distribution === b.distribution && compareReleases(a.version, b.version) === 0;

/** Bad releases count only in the world in which they failed: a new matrix or a changed spec gives them another chance. */
export const relevantBad = (
  history: DriverHistory,
  world: { readonly serial: number; readonly generation: number },
): readonly BadRelease[] =>
  history.bad.filter(({ serial, generation }) => serial === world.serial && generation === world.generation);
