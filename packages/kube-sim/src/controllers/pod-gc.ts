import { nodes, type Pod, pods } from '@vdo/kube/types/core';
import { parseKey } from '@vdo/kube/types/resource';
import type { LocalApi } from './local-api.ts';
import { isNodeReady, isOutOfService } from './node-health.ts';
import { ownKeys, type SimController } from './run-controllers.ts';

/** Ends what no kubelet will end any more: pods that are being deleted on a node that is down and out of service. */
export const createPodGc = (api: LocalApi): SimController => {
  const keyOf = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;
  return {
    name: 'pod-gc',
    keysOf: (event) => {
      if (event.bucket !== '/nodes' || !isOutOfService(event.object as never)) return ownKeys('/pods')(event);
      return api
        .list(pods)
        .filter(({ spec }) => spec.nodeName === event.object.metadata.name)
        .map(keyOf);
    },
    reconcile: (key) => {
      const pod = api.get(pods, parseKey(key));
      const node = api.get(nodes, { name: pod?.spec.nodeName ?? '' });
      const isStuck = pod?.metadata.deletionTimestamp !== undefined && isOutOfService(node) && !isNodeReady(node);
      if (pod && isStuck) api.remove(pods, pod, { isForced: true });
      return undefined;
    },
  };
};
