import { VdoError } from '@vdo/base/vdo-error';

/** Newest API version this client was written against; a newer vCenter is asked to speak this one. */
const newest = '8.0.3.0';
/** Oldest vCenter served: container volumes start with 6.7 Update 3. */
const oldest = '6.7';

const parts = (version: string): readonly number[] => version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** Orders dotted versions: negative if `a` is older than `b`. Missing parts count as 0. */
const compareVersions = (a: string, b: string): number => {
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** The API version to speak with a server that offers `offered`. Throws VCenterVersionUnsupported below 6.7. */
export const negotiateVersion = (server: string, offered: string): string => {
  if (compareVersions(offered, oldest) < 0)
    throw new VdoError({
      code: 'VCenterVersionUnsupported',
      message: `vCenter ${server} speaks API ${offered}, the oldest supported is ${oldest}`,
      remedy: 'Upgrade vCenter to 6.7 Update 3 or newer.',
      details: { offered },
    });
  return compareVersions(offered, newest) > 0 ? newest : offered;
};
