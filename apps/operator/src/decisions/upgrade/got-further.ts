import { type DriverHistory, sameRelease } from '@vdo/releases/release-history';

/**
 * Whether a change of release has begun, come closer to its end than ever before, or ended. Pods that come and go do not
 * count, so this happens only so many times for one release.
 */
export const gotFurther = (before: DriverHistory | undefined, after: DriverHistory | undefined): boolean => {
  const [from, to] = [before?.target, after?.target];
  if (!from || !to) return from !== to;
  if (!sameRelease(from, to)) return true;
  return from.of === to.of && to.left !== undefined && from.left !== undefined && to.left < from.left;
};
