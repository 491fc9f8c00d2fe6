import type { AnyObject } from '@vdo/kube/types/object';
import { badRequest } from '../api-error.ts';
import { getIn, isObject, objectOf, setIn } from '../json.ts';
import type { ScalePaths } from '../strategies/resource-type.ts';

const pathOf = (path: string): readonly string[] => path.split('.').filter(Boolean);

const selectorText = (object: AnyObject, paths: ScalePaths): string => {
  const given = paths.labelSelectorPath === undefined ? undefined : getIn(object, pathOf(paths.labelSelectorPath));
  if (typeof given === 'string') return given;
  const labels = objectOf(getIn(object, ['spec', 'selector', 'matchLabels']));
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',');
};

/** The autoscaling/v1 Scale of an object. */
export const scaleOf = (object: AnyObject, paths: ScalePaths): AnyObject => {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorText(object, paths);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: Object.fromEntries(
      Object.entries({ name, namespace, uid, resourceVersion, creationTimestamp }).filter(
        ([, value]) => value !== undefined,
      ),
    ),
    spec: { replicas: Number(getIn(object, pathOf(paths.specReplicasPath)) ?? 0) },
    status: {
      replicas: Number(getIn(object, pathOf(paths.statusReplicasPath)) ?? 0),
      ...(selector === '' ? {} : { selector }),
    },
  };
};

/** The object with the replicas of a written Scale. */
export const withScale = (object: AnyObject, scale: unknown, paths: ScalePaths): AnyObject => {
  const replicas = getIn(scale, ['spec', 'replicas']);
  if (!isObject(scale) || typeof replicas !== 'number' || replicas < 0)
    throw badRequest('spec.replicas of a Scale must be a number of 0 or more');
  const { resourceVersion } = objectOf(scale['metadata']);
  const scaled = setIn(object, pathOf(paths.specReplicasPath), replicas) as AnyObject;
  return typeof resourceVersion === 'string'
    ? { ...scaled, metadata: { ...scaled.metadata, resourceVersion } }
    : scaled;
};
