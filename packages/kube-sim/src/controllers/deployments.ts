import type { Clock } from '@vdo/base/clock';
import type { NodeCondition } from '@vdo/kube/types/core';
import { parseKey } from '@vdo/kube/types/resource';
import { type Deployment, deployments } from '@vdo/kube/types/workloads';
import { deepEqual, getIn, timestamp } from '../json.ts';
import type { LocalApi } from './local-api.ts';
import { controllerReference, isControlledBy, portion, templateHash } from './pod-control.ts';
import { type ReplicaSet, replicaSets } from './replica-sets.ts';
import { controllerKeys, ownKeys, type SimController } from './run-controllers.ts';

const hashLabel = 'pod-template-hash';
const revisionAnnotation = 'deployment.kubernetes.io/revision';

const size = (set: ReplicaSet): number => set.spec.replicas ?? 0;
const available = (set: ReplicaSet): number => set.status?.availableReplicas ?? 0;
const sum = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + of(set), 0);
const revisionOf = (set: ReplicaSet): number => Number(set.metadata.annotations?.[revisionAnnotation] ?? 0);

const newSet = (deployment: Deployment, hash: string, revision: number): ReplicaSet => {
  const { selector, template } = deployment.spec;
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const { namespace } = deployment.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name ?? ''}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      annotations: { [revisionAnnotation]: String(revision) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: 0,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
};

/** The next sizes of the ReplicaSets. Pure: depends on the ready pods, and never exceeds the limits of the strategy. */
const nextSizes = (
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
): ReadonlyMap<ReplicaSet, number> => {
  const wanted = deployment.spec.replicas ?? 1;
  if (getIn(deployment.spec.strategy, ['type']) === 'Recreate') {
    const isDrained = sum(old, (set) => set.status?.replicas ?? 0) === 0 && sum(old, size) === 0;
    return new Map([...old.map((set) => [set, 0] as const), [current, isDrained ? wanted : size(current)]]);
  }
  const limit = (name: string) => getIn(deployment.spec.strategy, ['rollingUpdate', name]) ?? '25%';
  const surge = portion(limit('maxSurge'), wanted, Math.ceil);
  const missing = portion(limit('maxUnavailable'), wanted, Math.floor);
  const unavailable = surge === 0 && missing === 0 ? 1 : missing;

  const allowance = wanted + surge - sum([current, ...old], size);
  const grown = size(current) > wanted ? wanted : Math.min(wanted, size(current) + Math.max(0, allowance));
  let spare = sum([current, ...old], available) - (wanted - unavailable);
  const shrunk = old.map((set) => {
    const broken = size(set) - available(set);
    const taken = Math.min(available(set), Math.max(0, spare));
    spare -= taken;
    return [set, Math.max(0, size(set) - broken - taken)] as const;
  });
  return new Map([...shrunk, [current, grown]]);
};

const condition = (type: string, isTrue: boolean, reason: string, message: string): NodeCondition => ({
  type,
  status: isTrue ? 'True' : 'False',
  reason,
  message,
});

interface Progress extends NodeCondition {
  readonly lastUpdateTime?: string;
}

const statusOf = (
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  current: ReplicaSet,
  nowMs: number,
): NonNullable<Deployment['status']> => {
  const wanted = deployment.spec.replicas ?? 1;
  const now = timestamp(nowMs);
  const before = deployment.status;
  const ready = sum(sets, (set) => set.status?.readyReplicas ?? 0);
  const missing = sum(sets, size) - ready;
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 1,
    replicas: sum(sets, (set) => set.status?.replicas ?? 0),
    updatedReplicas: current.status?.replicas ?? 0,
    readyReplicas: ready,
    availableReplicas: ready,
    ...(missing > 0 ? { unavailableReplicas: missing } : {}),
  };
  const known = (type: string) => before?.conditions?.find((item) => item.type === type) as Progress | undefined;
  const isComplete = counts.updatedReplicas === wanted && counts.replicas === wanted && available(current) === wanted;
  const { conditions: _, ...previous } = before ?? {};
  const hasMoved = !deepEqual(previous, counts);
  const last = known('Progressing');
  const deadlineMs = Number(getIn(deployment.spec, ['progressDeadlineSeconds']) ?? 600) * 1_000;
  const isOverdue = last?.lastUpdateTime !== undefined && nowMs - Date.parse(last.lastUpdateTime) >= deadlineMs;
  const isLate = !isComplete && !hasMoved && (isOverdue || last?.reason === 'ProgressDeadlineExceeded');
  const name = current.metadata.name ?? '';
  const progressing = isLate
    ? condition('Progressing', false, 'ProgressDeadlineExceeded', `ReplicaSet "${name}" has timed out progressing.`)
    : isComplete
      ? condition('Progressing', true, 'NewReplicaSetAvailable', `ReplicaSet "${name}" has successfully progressed.`)
      : condition('Progressing', true, 'ReplicaSetUpdated', `ReplicaSet "${name}" is progressing.`);
  const strategyLimit = getIn(deployment.spec.strategy, ['rollingUpdate', 'maxUnavailable']) ?? 0;
  const isAvailable = ready >= wanted - portion(strategyLimit, wanted, Math.floor);
  const availability = isAvailable
    ? condition('Available', true, 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
    : condition('Available', false, 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.');
  const timed = (next: NodeCondition, isTouched: boolean): Progress => {
    const last = known(next.type);
    const isSame = last?.status === next.status && last.reason === next.reason && !isTouched;
    const transition = last?.status === next.status ? last.lastTransitionTime : undefined;
    return {
      ...next,
      lastUpdateTime: (isSame ? last.lastUpdateTime : undefined) ?? now,
      lastTransitionTime: transition ?? now,
    };
  };
  return { ...counts, conditions: [timed(availability, false), timed(progressing, hasMoved && !isComplete)] };
};

/** Updates a Deployment's pods to its template, with one ReplicaSet per template, and reports the progress. */
export const createDeploymentController = (api: LocalApi, clock: Clock): SimController => {
  const raiseRevision = (set: ReplicaSet, revision: number): void => {
    const found = api.get(replicaSets, { name: set.metadata.name ?? '', namespace: set.metadata.namespace ?? '' });
    const annotations = { ...found?.metadata.annotations, [revisionAnnotation]: String(revision) };
    if (found) api.update(replicaSets, found, (old) => ({ ...old, metadata: { ...old.metadata, annotations } }));
  };

  return {
    name: 'deployments',
    keysOf: (event) => [
      ...ownKeys('apps/deployments')(event),
      ...controllerKeys('apps/replicasets', 'Deployment')(event),
    ],
    reconcile: (key) => {
      const deployment = api.get(deployments, parseKey(key));
      if (!deployment || deployment.metadata.deletionTimestamp !== undefined) return undefined;
      const owned = () =>
        api.list(replicaSets, deployment.metadata.namespace).filter((set) => isControlledBy(set, deployment));
      const hash = templateHash(deployment.spec.template);
      const isCurrent = (set: ReplicaSet) => set.metadata.labels?.[hashLabel] === hash;
      const past = owned().filter((set) => !isCurrent(set));
      const revision = Math.max(0, ...past.map(revisionOf)) + 1;
      if (past.length === owned().length) api.create(replicaSets, newSet(deployment, hash, revision));

      const sets = owned();
      const current = sets.find(isCurrent);
      if (!current) return undefined;
      const old = sets.filter((set) => set !== current);
      for (const [set, replicas] of nextSizes(deployment, current, old))
        api.update(replicaSets, set, (found) => ({ ...found, spec: { ...found.spec, replicas } }));
      // Going back to an old template makes its set the newest revision.
      if (revisionOf(current) < revision) raiseRevision(current, revision);
      const kept = Number(getIn(deployment.spec, ['revisionHistoryLimit']) ?? 10);
      const idle = old
        .filter((set) => size(set) === 0 && (set.status?.replicas ?? 0) === 0)
        .sort((a, b) => revisionOf(b) - revisionOf(a));
      for (const set of idle.slice(kept)) api.remove(replicaSets, set);
      const status = statusOf(deployment, sets, current, clock.now());
      api.updateStatus(deployments, deployment, status);
      const isMoving = status.conditions?.some(({ reason }) => reason === 'ReplicaSetUpdated');
      return isMoving ? 10_000 : undefined;
    },
  };
};
