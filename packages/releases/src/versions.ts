import { productNumbers } from '@vdo/config/product-version';
import semver from 'semver';

/** True for a release version: semantic, with or without v. */
export const isReleaseVersion = (text: string): boolean => semver.valid(text) !== null;

/** True for one end of a range: one to three numbers. */
export const isVersionBound = (text: string): boolean => /^\d+(\.\d+){0,2}$/.test(text);

/** Semantic order of releases: 1.9.0 before 1.10.0, 1.0.0-rc.1 before 1.0.0. */
export const compareReleases = (left: string, right: string): number => semver.compare(left, right);

export const isPreRelease = (text: string): boolean => (semver.prerelease(text)?.length ?? 0) > 0;

const compareToBound = (version: readonly number[], bound: string): number => {
  // A bound counts as far as it is written: 9.0 means every 9.0.x.
  const difference = bound.split('.').map((part, index) => (version[index] ?? 0) - Number(part));
  return difference.find((part) => part !== 0) ?? 0;
};

export type RangeVerdict = 'inside' | 'too-old' | 'too-new' | 'unreadable';

/** The position of a product version relative to a range with inclusive ends. */
export const compareToRange = (text: string, range: { readonly min: string; readonly max: string }): RangeVerdict => {
  const numbers = productNumbers(text);
  if (!numbers) return 'unreadable';
  if (compareToBound(numbers, range.min) < 0) return 'too-old';
  return compareToBound(numbers, range.max) > 0 ? 'too-new' : 'inside';
};
