import { type PersistentVolumeClaim, type Pod, persistentVolumeClaims, pods } from '@vdo/kube/types/core';
import { parseKey, type Resource } from '@vdo/kube/types/resource';
import type { Deployment } from '@vdo/kube/types/workloads';
import { getIn, listOf } from '../json.ts';
import type { LocalApi } from './local-api.ts';
import { isActive, isControlledBy, isReady, podFromTemplate, templateHash } from './pod-control.ts';
import { controllerKeys, ownKeys, type SimController } from './run-controllers.ts';

type StatefulSet = Deployment;
const statefulSets: Resource<StatefulSet> = {
  group: 'apps',
  version: 'v1',
  plural: 'statefulsets',
  kind: 'StatefulSet',
  namespaced: true,
};
const hashLabel = 'controller-revision-hash';

const claimTemplates = (set: StatefulSet): readonly PersistentVolumeClaim[] =>
  listOf(getIn(set.spec, ['volumeClaimTemplates'])) as readonly PersistentVolumeClaim[];

/** The pod with an ordinal: named, labelled and with its own claims mounted. */
const podOf = (set: StatefulSet, ordinal: number): Pod => {
  const name = `${set.metadata.name ?? ''}-${ordinal}`;
  const labels = { [hashLabel]: templateHash(set.spec.template), 'statefulset.kubernetes.io/pod-name': name };
  const { metadata, spec, ...pod } = podFromTemplate(set, set.spec.template, labels);
  const { generateName: _, ...named } = metadata;
  const claims = claimTemplates(set).map((claim) => claim.metadata.name ?? '');
  const own = claims.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: `${claim}-${name}` } }));
  const others = (spec.volumes ?? []).filter((volume) => !claims.includes(volume.name));
  return { ...pod, metadata: { ...named, name }, spec: { ...spec, volumes: [...own, ...others] } };
};

/** Keeps numbered pods with their claims, one after the other, and replaces outdated ones from the last to the first. */
export const createStatefulSetController = (api: LocalApi): SimController => {
  const createPod = (set: StatefulSet, ordinal: number): void => {
    const pod = podOf(set, ordinal);
    for (const template of claimTemplates(set)) {
      const { namespace = '' } = set.metadata;
      const name = `${template.metadata.name}-${pod.metadata.name}`;
      if (api.get(persistentVolumeClaims, { name, namespace })) continue;
      const metadata = { ...template.metadata, name, namespace };
      api.create(persistentVolumeClaims, { ...template, apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata });
    }
    api.create(pods, pod);
  };

  /** One step towards the desired pods: at most one pod is created or removed unless they may be managed in parallel. */
  const step = (set: StatefulSet, own: readonly Pod[], wanted: number): void => {
    const byOrdinal = new Map(own.map((pod) => [Number(/-(\d+)$/.exec(pod.metadata.name ?? '')?.[1]), pod]));
    const isParallel = getIn(set.spec, ['podManagementPolicy']) === 'Parallel';
    const ordinals = Array.from({ length: wanted }, (_, index) => index);
    for (const ordinal of ordinals) {
      const pod = byOrdinal.get(ordinal);
      if (!pod) createPod(set, ordinal);
      if (!isParallel && (!pod || !isActive(pod) || !isReady(pod))) return;
    }
    const surplus = [...byOrdinal].filter(([ordinal]) => ordinal >= wanted).sort(([a], [b]) => b - a);
    const outdated = ordinals
      .map((ordinal) => byOrdinal.get(ordinal))
      .filter((pod) => pod?.metadata.labels?.[hashLabel] !== templateHash(set.spec.template));
    const [victim] = [...surplus.map(([, pod]) => pod), ...outdated.reverse()];
    if (victim) api.remove(pods, victim);
  };

  return {
    name: 'stateful-sets',
    keysOf: (event) => [...ownKeys('apps/statefulsets')(event), ...controllerKeys('/pods', 'StatefulSet')(event)],
    reconcile: (key) => {
      const set = api.get(statefulSets, parseKey(key));
      if (!set || set.metadata.deletionTimestamp !== undefined) return undefined;
      const wanted = set.spec.replicas ?? 1;
      const own = api.list(pods, set.metadata.namespace).filter((pod) => isControlledBy(pod, set));
      step(set, own, wanted);
      const hash = templateHash(set.spec.template);
      const active = own.filter(isActive);
      const ready = active.filter(isReady).length;
      const updated = active.filter(({ metadata }) => metadata.labels?.[hashLabel] === hash).length;
      const revisions = { currentRevision: hash, updateRevision: hash, currentReplicas: updated };
      api.updateStatus(statefulSets, set, {
        observedGeneration: set.metadata.generation ?? 1,
        replicas: active.length,
        readyReplicas: ready,
        availableReplicas: ready,
        updatedReplicas: updated,
        ...revisions,
      });
      return undefined;
    },
  };
};
