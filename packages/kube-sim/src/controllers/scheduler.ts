import { nodes, type Pod, pods } from '@vdo/kube/types/core';
import { parseKey } from '@vdo/kube/types/resource';
import type { LocalApi } from './local-api.ts';
import { isSelected, repellingTaints } from './placement.ts';
import { ownKeys, type SimController } from './run-controllers.ts';

/** Puts pods on the first node that takes them, the emptiest first. Knows labels, affinity and taints; no resources. */
export const createScheduler = (api: LocalApi): SimController => {
  const waiting = (): readonly Pod[] => api.list(pods).filter(({ spec }) => spec.nodeName === undefined);
  const load = (name: string | undefined): number => api.list(pods).filter(({ spec }) => spec.nodeName === name).length;

  return {
    name: 'scheduler',
    keysOf: (event) => [
      ...ownKeys('/pods')(event),
      ...(event.bucket === '/nodes' ? waiting().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`) : []),
    ],
    reconcile: (key) => {
      const pod = api.get(pods, parseKey(key));
      if (!pod || pod.spec.nodeName !== undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
      const { tolerations = [] } = pod.spec;
      const [node] = api
        .list(nodes)
        .filter(
          (candidate) => candidate.spec.unschedulable !== true || repellingTaints(candidate, tolerations).length === 0,
        )
        .filter((candidate) => isSelected(candidate, pod.spec) && repellingTaints(candidate, tolerations).length === 0)
        .sort((a, b) => load(a.metadata.name) - load(b.metadata.name));
      const nodeName = node?.metadata.name;
      if (nodeName === undefined) return undefined;
      api.update(pods, pod, (found) => ({ ...found, spec: { ...found.spec, nodeName } }));
      return undefined;
    },
  };
};
