import { sleep } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { nodes, type Pod, pods } from '@vdo/kube/types/core';
import type { CliContext } from '../../cli/context.ts';

const pollMs = 1_000;
const mirrorAnnotation = 'kubernetes.io/config.mirror';

const controllerOf = ({ metadata }: Pod) => metadata.ownerReferences?.find(({ controller }) => controller);

/** The pods to evict: all except DaemonSet pods, static pods and finished pods. */
export const podsToEvict = (all: readonly Pod[], node: string): readonly Pod[] =>
  all.filter(
    (pod) =>
      pod.spec.nodeName === node &&
      controllerOf(pod)?.kind !== 'DaemonSet' &&
      pod.metadata.annotations?.[mirrorAnnotation] === undefined &&
      pod.status?.phase !== 'Succeeded' &&
      pod.status?.phase !== 'Failed',
  );

const nameOf = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;

export interface DrainOptions extends Pick<CliContext, 'clock' | 'signal'> {
  /** Seconds. */
  readonly timeout: number;
  readonly onStep: (text: string) => void;
}

export const cordon = async (kube: KubeClient, name: string, unschedulable: boolean, signal?: AbortSignal) => {
  const body = { spec: { unschedulable: unschedulable ? true : null } };
  await kube.patch(nodes, { name }, { type: 'merge', body }, signal ? { signal } : {});
};

/** Pods that no controller would create again: the user has to handle them. */
const mindBare = (due: readonly Pod[], node: string): void => {
  const bare = due.filter((pod) => !controllerOf(pod));
  if (bare.length === 0) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `node ${node} runs pods that no controller would create again: ${bare.map(nameOf).join(', ')}`,
    remedy: `Move or delete them first: kubectl delete pod -n NAMESPACE NAME`,
  });
};

const evict = async (kube: KubeClient, pod: Pod, signal: AbortSignal): Promise<void> => {
  const { name, namespace, uid } = pod.metadata;
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: { preconditions: { uid } },
  };
  try {
    await kube.create(pods, eviction as unknown as Pod, { subresource: 'eviction', signal });
  } catch (error) {
    // 429: a disruption budget does not allow it yet. 404: the pod is already gone.
    if (!isVdoError(error, 'KubeThrottled', 'KubeNotFound', 'KubeConflict')) throw error;
  }
};

/** Evicts the pods of a node within their disruption budgets, and waits until they are gone. */
export const drain = async (kube: KubeClient, node: string, options: DrainOptions): Promise<void> => {
  const { clock, signal, timeout } = options;
  const giveUpMs = clock.monotonicMs() + timeout * 1000;
  for (;;) {
    const due = podsToEvict((await kube.list(pods, { signal })).items, node);
    if (due.length === 0) return;
    mindBare(due, node);
    if (clock.monotonicMs() >= giveUpMs) {
      throw new VdoError({
        code: 'DeadlineExceeded',
        message: `node ${node} still runs ${due.map(nameOf).join(', ')} after ${timeout} s`,
        remedy:
          'Check the disruption budgets: kubectl get poddisruptionbudgets -A. The node is uncordoned; its VM was not changed.',
      });
    }
    options.onStep(`${node}: evicting ${due.length} pods`);
    for (const pod of due) if (pod.metadata.deletionTimestamp === undefined) await evict(kube, pod, signal);
    await sleep(clock, pollMs, { signal });
  }
};
