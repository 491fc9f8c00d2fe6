import {
  type Node,
  nodes,
  type PersistentVolumeClaim,
  type Pod,
  type PodSpec,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import { parseKey } from '@vdo/kube/types/resource';
import { storageClasses } from '@vdo/kube/types/storage';
import { createTakenHostPorts } from './host-ports.ts';
import type { LocalApi } from './local-api.ts';
import { isSelected, namedNode, repellingTaints } from './placement.ts';
import { claimNames } from './pod-volumes.ts';
import { ownKeys, type SimController } from './run-controllers.ts';

const selectedNode = 'volume.kubernetes.io/selected-node';
const retryMs = 1_000;

/** Puts pods on the emptiest node that takes them: by labels, affinity, taints, ports of the host and where their volumes are. */
export const createScheduler = (api: LocalApi): SimController => {
  const hostPorts = createTakenHostPorts();
  const waiting = (): readonly Pod[] => api.list(pods).filter(({ spec }) => spec.nodeName === undefined);
  /** How many pods each node has. */
  const loads = (): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const { spec } of api.list(pods)) counts.set(spec.nodeName ?? '', (counts.get(spec.nodeName ?? '') ?? 0) + 1);
    return counts;
  };

  const claimsOf = (pod: Pod): readonly (PersistentVolumeClaim | undefined)[] =>
    claimNames(pod).map((name) => api.get(persistentVolumeClaims, { name, namespace: pod.metadata.namespace ?? '' }));
  const isBound = (claim: PersistentVolumeClaim): boolean => claim.status?.phase === 'Bound';
  const waitsForConsumer = ({ spec }: PersistentVolumeClaim): boolean =>
    api.get(storageClasses, { name: spec.storageClassName ?? '' })?.volumeBindingMode === 'WaitForFirstConsumer';

  /** A bound volume may be reachable from some nodes only. */
  const reaches = (node: Node, claim: PersistentVolumeClaim): boolean => {
    const volume = api.get(persistentVolumes, { name: claim.spec.volumeName ?? '' });
    const required = volume?.spec.nodeAffinity?.required;
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    return required === undefined || isSelected(node, { containers: [], affinity } satisfies PodSpec);
  };
  /** A pod of a DaemonSet names its node: checking all nodes for each pod would take quadratic time. */
  const candidates = (pod: Pod): readonly Node[] => {
    const name = namedNode(pod.spec);
    if (name === undefined) return api.list(nodes);
    const node = api.get(nodes, { name });
    return node ? [node] : [];
  };
  const emptiest = (fitting: readonly Node[]): Node | undefined => {
    if (fitting.length < 2) return fitting[0];
    const counts = loads();
    const load = ({ metadata }: Node) => counts.get(metadata.name ?? '') ?? 0;
    return [...fitting].sort((a, b) => load(a) - load(b))[0];
  };
  const accepts = (node: Node, pod: Pod): boolean =>
    isSelected(node, pod.spec) &&
    repellingTaints(node, pod.spec.tolerations ?? []).length === 0 &&
    hostPorts.isFree(node.metadata.name ?? '', pod);

  const select = (claim: PersistentVolumeClaim, nodeName: string): void =>
    api.update(persistentVolumeClaims, claim, (found) => ({
      ...found,
      metadata: { ...found.metadata, annotations: { ...found.metadata.annotations, [selectedNode]: nodeName } },
    }));

  const place = (pod: Pod, claims: readonly PersistentVolumeClaim[]): number | undefined => {
    const unbound = claims.filter((claim) => !isBound(claim));
    if (unbound.some((claim) => !waitsForConsumer(claim))) return retryMs;
    const chosen = unbound.find(({ metadata }) => metadata.annotations?.[selectedNode])?.metadata.annotations?.[
      selectedNode
    ];
    const fitting = candidates(pod)
      .filter(
        (candidate) => accepts(candidate, pod) && claims.every((claim) => !isBound(claim) || reaches(candidate, claim)),
      )
      .filter((candidate) => chosen === undefined || candidate.metadata.name === chosen);
    const nodeName = emptiest(fitting)?.metadata.name;
    if (nodeName === undefined) return retryMs;
    for (const claim of unbound) select(claim, nodeName);
    if (unbound.length > 0) return retryMs;
    api.update(pods, pod, (found) => ({ ...found, spec: { ...found.spec, nodeName } }));
    return undefined;
  };

  return {
    name: 'scheduler',
    keysOf: (event) => {
      hostPorts.observe(event);
      const isReason = ['/nodes', '/persistentvolumeclaims'].includes(event.bucket);
      const retried = isReason ? waiting().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`) : [];
      return [...ownKeys('/pods')(event), ...retried];
    },
    reconcile: (key) => {
      const pod = api.get(pods, parseKey(key));
      if (!pod || pod.spec.nodeName !== undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
      const claims = claimsOf(pod).filter((claim) => claim !== undefined);
      return claims.length < claimNames(pod).length ? retryMs : place(pod, claims);
    },
  };
};
