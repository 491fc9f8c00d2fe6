import { VdoError } from '@vdo/base/vdo-error';
import { newestIncluded } from '../wire/api-version.ts';

/** The newest API version that this client supports; a newer vCenter is asked to use this one. */
const newest = '8.0.3.0';
/** The oldest supported vCenter: container volumes exist since 6.7 Update 3. */
const oldest = '6.7';
/** govmomi's vcsim has a version between this and the oldest supported one: accepted with a warning. */
const oldestMet = '6.5';

const parts = (version: string): readonly number[] => version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** Orders dotted versions: negative if `a` is older than `b`. Missing parts count as 0. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** The API version to use with a server that offers `offered`. */
export const spokenVersion = (offered: string): string => (compareVersions(offered, newest) > 0 ? newest : offered);

/** Throws VCenterVersionUnsupported if such a vCenter is not supported; returns `untried` if it may still work. */
export const judgeVersion = (server: string, offered: string): 'served' | 'untried' => {
  if (compareVersions(offered, oldest) >= 0) return 'served';
  if (compareVersions(offered, oldestMet) >= 0) return 'untried';
  throw new VdoError({
    code: 'VCenterVersionUnsupported',
    message: `vCenter ${server} has API version ${offered}, but the oldest supported version is ${oldest}`,
    remedy: 'Upgrade vCenter to 6.7 Update 3 or newer.',
    details: { offered },
  });
};

/** The version of the storage policy API that belongs to an API version. Without it, vCenter uses the first version. */
export const policyVersion = (spoken: string | undefined): string | undefined =>
  spoken === undefined ? undefined : newestIncluded('urn:pbm', spoken);
