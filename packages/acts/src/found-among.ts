import type { KubeObject } from '@vdo/kube/types/object';
import type { Found } from './evidence.ts';
import { mintFound, orderOf } from './internal/mint.ts';

/** Answers one query from a wider search, so that one LIST serves all attempts that began before it. */
export const foundAmong = <T extends KubeObject>(
  searched: Found<T>,
  question: Found<T>['question'],
  applies: (object: T) => boolean,
): Found<T> => {
  const { resource, readMs, objects, facts } = searched;
  const at = { readMs, order: orderOf(searched) };
  const found = objects.filter(applies);
  return mintFound({ resource, question, resourceVersion: facts[0]?.resourceVersion ?? '', at }, () => found);
};
