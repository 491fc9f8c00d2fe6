import { VdoError } from '@vdo/base/vdo-error';

/**
 * Whether an object or a cache at version `a` is as new as `b`. Since Kubernetes 1.35 the versions of one resource are promised to be
 * integers that only grow, and servers of every supported release keep to it; they may be longer than 64 bits.
 */
export const isAtLeast = (a: string, b: string): boolean => {
  for (const version of [a, b]) if (!/^(0|[1-9]\d*)$/.test(version)) throw notAnInteger(version);
  return a.length === b.length ? a >= b : a.length > b.length;
};

const notAnInteger = (version: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `the resourceVersion "${version}" is not an integer, so it cannot be compared`,
    remedy:
      'No action needed for resources of Kubernetes itself. An aggregated API server must use integers as resourceVersion.',
  });
