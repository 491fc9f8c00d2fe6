import semver from 'semver';

/** True for a release version: semantic, with or without v. */
export const isReleaseVersion = (text: string): boolean => semver.valid(text) !== null;

/** True for one end of a range: one to three numbers. */
export const isVersionBound = (text: string): boolean => /^\d+(\.\d+){0,2}$/.test(text);

/** Semantic order of releases: 1.9.0 before 1.10.0, 1.0.0-rc.1 before 1.0.0. */
export const compareReleases = (left: string, right: string): number => semver.compare(left, right);

export const isPreRelease = (text: string): boolean => (semver.prerelease(text)?.length ?? 0) > 0;

/**
 * The numbers of a product version. Vendors append to it what has no meaning for compatibility: v1.30.3+rke2r1,
 * v1.29.8-eks-a737599, 1.27.3-gke.100, 8.0.3.00100. Undefined if the text begins with no number.
 */
export const productNumbers = (text: string): readonly [number, number, number] | undefined => {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text.trim());
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
};

const compareToBound = (version: readonly number[], bound: string): number => {
  // A bound counts as far as it is written: 9.0 means every 9.0.x.
  const difference = bound.split('.').map((part, index) => (version[index] ?? 0) - Number(part));
  return difference.find((part) => part !== 0) ?? 0;
};

export type RangeVerdict = 'inside' | 'too-old' | 'too-new' | 'unreadable';

/** Where a product version lies relative to a range whose ends are inclusive. */
export const compareToRange = (text: string, range: { readonly min: string; readonly max: string }): RangeVerdict => {
  const numbers = productNumbers(text);
  if (!numbers) return 'unreadable';
  if (compareToBound(numbers, range.min) < 0) return 'too-old';
  return compareToBound(numbers, range.max) > 0 ? 'too-new' : 'inside';
};

/**
 * The vCenter version that compatibility is about. vCenter 6.7 Update 3 calls itself 6.7.0 and shows the update only in
 * the version of its API (6.7.3); later ones say it in both.
 */
export const vcenterVersionOf = (about: { readonly version: string; readonly apiVersion: string }): string => {
  const product = productNumbers(about.version);
  const api = productNumbers(about.apiVersion);
  if (!product || !api || product[0] !== api[0] || product[1] !== api[1]) return about.version;
  return api[2] > product[2] ? api.join('.') : about.version;
};
