import { type Node, nodes, type Pod, type PodSpec, pods, type Toleration } from '@vdo/kube/types/core';
import { parseKey } from '@vdo/kube/types/resource';
import { type DaemonSet, daemonSets } from '@vdo/kube/types/workloads';
import { getIn } from '../json.ts';
import type { LocalApi } from './local-api.ts';
import { isSelected, namedNode, repellingTaints } from './placement.ts';
import { isActive, isControlledBy, isReady, podFromTemplate, portion, templateHash } from './pod-control.ts';
import { controllerKeys, ownKeys, type SimController } from './run-controllers.ts';

const hashLabel = 'controller-revision-hash';

// Tolerations that the real controller adds to every pod: a DaemonSet stays on nodes from which other pods are evicted.
const defaultTolerations: readonly Toleration[] = [
  ...['not-ready', 'unreachable'].map((name) => ({ key: `node.kubernetes.io/${name}`, effect: 'NoExecute' })),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) => ({
    key: `node.kubernetes.io/${name}`,
    effect: 'NoSchedule',
  })),
].map((toleration) => ({ ...toleration, operator: 'Exists' }));
const hostNetwork: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

const tolerationsOf = (spec: PodSpec): readonly Toleration[] => [
  ...(spec.tolerations ?? []),
  ...defaultTolerations,
  ...(spec.hostNetwork ? [hostNetwork] : []),
];

/** Names the pod's node in a field affinity, for the scheduler to bind it there. */
const pinned = (spec: PodSpec, nodeName: string): PodSpec => {
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] };
  const required = { nodeSelectorTerms: [term] };
  return {
    ...spec,
    tolerations: tolerationsOf(spec),
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  };
};

const nodeOf = ({ spec }: Pod): string => spec.nodeName ?? namedNode(spec) ?? '';

/** Keeps one pod on every suitable node, and updates them to a new template, a few at a time. */
export const createDaemonSetController = (api: LocalApi): SimController => {
  const accepts = (node: Node, spec: PodSpec) =>
    isSelected(node, spec) && repellingTaints(node, tolerationsOf(spec)).length === 0;

  const replaceOutdated = (set: DaemonSet, state: { pods: readonly Pod[]; hash: string; wanted: number }): void => {
    const outdated = state.pods.filter(({ metadata }) => metadata.labels?.[hashLabel] !== state.hash);
    if (getIn(set.spec.updateStrategy, ['type']) === 'OnDelete') return;
    const limit = portion(
      getIn(set.spec.updateStrategy, ['rollingUpdate', 'maxUnavailable']) ?? 1,
      state.wanted,
      Math.ceil,
    );
    const ready = outdated.filter(isReady);
    const down = state.wanted - state.pods.filter(isReady).length;
    const broken = outdated.filter((pod) => !isReady(pod));
    for (const pod of [...broken, ...ready.slice(0, Math.max(0, limit - down))]) api.remove(pods, pod);
  };

  return {
    name: 'daemon-sets',
    keysOf: (event) => [
      ...ownKeys('apps/daemonsets')(event),
      ...controllerKeys('/pods', 'DaemonSet')(event),
      ...(event.bucket === '/nodes'
        ? api.list(daemonSets).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
        : []),
    ],
    reconcile: (key) => {
      const set = api.get(daemonSets, parseKey(key));
      if (!set || set.metadata.deletionTimestamp !== undefined) return undefined;
      const { template } = set.spec;
      const hash = templateHash(template);
      const suitable = api
        .list(nodes)
        .filter((node) => accepts(node, template.spec))
        .map(({ metadata }) => metadata.name ?? '');
      const chosen = new Set(suitable);
      const own = api.list(pods, set.metadata.namespace).filter((pod) => isControlledBy(pod, set));
      const active = own.filter(isActive);
      const occupied = new Set(own.map(nodeOf));
      for (const name of suitable.filter((node) => !occupied.has(node)))
        api.create(
          pods,
          podFromTemplate(set, { ...template, spec: pinned(template.spec, name) }, { [hashLabel]: hash }),
        );
      for (const pod of active.filter((candidate) => !chosen.has(nodeOf(candidate)))) api.remove(pods, pod);
      const placed = active.filter((pod) => chosen.has(nodeOf(pod)));
      replaceOutdated(set, { pods: placed, hash, wanted: suitable.length });
      const ready = placed.filter(isReady).length;
      const missing = suitable.length - ready;
      api.updateStatus(daemonSets, set, {
        observedGeneration: set.metadata.generation ?? 1,
        desiredNumberScheduled: suitable.length,
        currentNumberScheduled: placed.length,
        updatedNumberScheduled: placed.filter(({ metadata }) => metadata.labels?.[hashLabel] === hash).length,
        numberReady: ready,
        numberAvailable: ready,
        ...(missing > 0 ? { numberUnavailable: missing } : {}),
        ...{ numberMisscheduled: active.length - placed.length },
      });
      return undefined;
    },
  };
};
