import { type Pod, pods } from '@vdo/kube/types/core';
import type { Resource } from '@vdo/kube/types/resource';
import { parseKey } from '@vdo/kube/types/resource';
import type { Deployment } from '@vdo/kube/types/workloads';
import type { LocalApi } from './local-api.ts';
import { isActive, isControlledBy, isReady, podFromTemplate } from './pod-control.ts';
import { controllerKeys, ownKeys, type SimController } from './run-controllers.ts';

/** Shaped like a Deployment without strategy. */
export type ReplicaSet = Deployment;
export const replicaSets: Resource<ReplicaSet> = {
  group: 'apps',
  version: 'v1',
  plural: 'replicasets',
  kind: 'ReplicaSet',
  namespaced: true,
};

// Pods that are not ready go first.
const byReadiness = (a: Pod, b: Pod): number => Number(isReady(a)) - Number(isReady(b));

/** Keeps as many pods as a ReplicaSet asks for. */
export const createReplicaSetController = (api: LocalApi): SimController => ({
  name: 'replica-sets',
  keysOf: (event) => [...ownKeys('apps/replicasets')(event), ...controllerKeys('/pods', 'ReplicaSet')(event)],
  reconcile: (key) => {
    const set = api.get(replicaSets, parseKey(key));
    if (!set || set.metadata.deletionTimestamp !== undefined) return undefined;
    const wanted = set.spec.replicas ?? 1;
    const own = api.list(pods, set.metadata.namespace).filter((pod) => isControlledBy(pod, set) && isActive(pod));
    for (let missing = wanted - own.length; missing > 0; missing--)
      api.create(pods, podFromTemplate(set, set.spec.template));
    for (const pod of [...own].sort(byReadiness).slice(0, Math.max(0, own.length - wanted))) api.remove(pods, pod);
    const ready = own.filter(isReady).length;
    api.updateStatus(replicaSets, set, {
      replicas: own.length,
      ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
      observedGeneration: set.metadata.generation ?? 1,
    });
    return undefined;
  },
});
