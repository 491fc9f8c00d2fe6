import type { Pod } from '@vdo/kube/types/core';

/** A container that is not running, and why. */
export interface WaitingContainer {
  readonly container: string;
  readonly image: string;
  readonly reason: string;
  readonly message: string;
}

/** A pod that is not ready. Ready pods, of which there may be one per node, are not needed. */
export interface PodFacts {
  readonly name: string;
  readonly namespace: string;
  readonly nodeName: string | undefined;
  /** Milliseconds since 1970; NaN if the server did not report it. */
  readonly createdMs: number;
  /** Since when it has not been ready; NaN if the server did not report it. */
  readonly unreadySinceMs: number;
  readonly waiting: readonly WaitingContainer[];
}

interface WaitingState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
}

const waitingIn = ({ spec, status }: Pod): readonly WaitingContainer[] =>
  (status?.containerStatuses ?? []).flatMap(({ name, state }) => {
    const { waiting } = (state ?? {}) as WaitingState;
    if (!waiting?.reason) return [];
    const image = spec.containers.find((one) => one.name === name)?.image ?? 'the image';
    return [{ container: name, image, reason: waiting.reason, message: waiting.message ?? '' }];
  });

const readyCondition = ({ status }: Pod) => (status?.conditions ?? []).find(({ type }) => type === 'Ready');
const isReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';

/** The facts of a pod; undefined if it is ready. */
export const podFacts = (pod: Pod): PodFacts | undefined => {
  const { name = '', namespace = '', creationTimestamp = '' } = pod.metadata;
  const waiting = waitingIn(pod);
  if (isReady(pod) && waiting.length === 0) return undefined;
  const createdMs = Date.parse(creationTimestamp);
  const changedMs = Date.parse(readyCondition(pod)?.lastTransitionTime ?? '');
  const unreadySinceMs = Number.isNaN(changedMs) ? createdMs : changedMs;
  return { name, namespace, nodeName: pod.spec.nodeName, createdMs, unreadySinceMs, waiting };
};
