import { type DriverHistory, sameRelease } from '@vdo/releases/release-history';

/**
 * Whether a change of release has begun, progressed further than ever before, or ended. Restarting pods do not
 * count, so this happens a limited number of times per release.
 */
export const gotFurther = (before: DriverHistory | undefined, after: DriverHistory | undefined): boolean => {
  const [from, to] = [before?.target, after?.target];
  if (!from || !to) return from !== to;
  if (!sameRelease(from, to)) return true;
  return from.of === to.of && to.left !== undefined && from.left !== undefined && to.left < from.left;
};
