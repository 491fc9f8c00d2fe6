import { VdoError } from '@vdo/base/vdo-error';
import { type PodFacts, podFacts, type WaitingContainer } from '@vdo/checks/facts/pod-facts';
import type { KubeClient } from '@vdo/kube/client';
import { type Node, pods } from '@vdo/kube/types/core';
import type { DriverKind } from '@vdo/releases/matrix';
import { driverLabel } from '@vdo/releases/render/shared/labels';

const pullReasons = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];
const startReasons = ['CrashLoopBackOff', 'CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'];

const pageSize = 100;

interface Waiting extends WaitingContainer {
  readonly pod: string;
}

const namedWaiting = ({ name, waiting }: PodFacts): readonly Waiting[] => waiting.map((one) => ({ ...one, pod: name }));

const problemOf = (driver: DriverKind, waiting: readonly Waiting[], namespace: string): VdoError | undefined => {
  const said = (text: string) => (text === '' ? '' : `: ${text}`);
  const unpulled = waiting.find(({ reason }) => pullReasons.includes(reason));
  if (unpulled)
    return new VdoError({
      code: 'ImagePullFailed',
      message: `${driver.toUpperCase()}: pod ${unpulled.pod} cannot pull ${unpulled.image} (${unpulled.reason}${said(unpulled.message)})`,
      remedy: `Make the image available to the nodes: set spec.images.registry to a mirror that has it, or spec.images.pullSecrets if it needs credentials. kubectl -n ${namespace} describe pod ${unpulled.pod} shows each attempt.`,
    });
  const failing = waiting.find(({ reason }) => startReasons.includes(reason));
  return failing
    ? new VdoError({
        code: 'WorkloadsNotReady',
        message: `${driver.toUpperCase()}: container ${failing.container} of pod ${failing.pod} keeps failing to start (${failing.reason}${said(failing.message)})`,
        remedy: `To see why: kubectl -n ${namespace} logs ${failing.pod} -c ${failing.container} --previous`,
      })
    : undefined;
};

/** Time for restarting nodes and pulling images. A node that is not ready already had its time from Kubernetes. */
const graceMs = { onReadyNode: 2 * 60_000, onSilentNode: 30_000 } as const;

const readyOf = (node: Node | undefined) => node?.status?.conditions?.find(({ type }) => type === 'Ready');

/** A pod that stays not ready although none of its containers reports why, with its node. */
const lingering = (driver: DriverKind, pod: PodFacts, observe: PodObservation): VdoError | undefined => {
  const { name, namespace, nodeName } = pod;
  const ready = readyOf(nodeName === undefined ? undefined : observe.node(nodeName));
  const isSilent = ready !== undefined && ready.status !== 'True';
  const allowedMs = isSilent ? graceMs.onSilentNode : graceMs.onReadyNode;
  // NaN, if the server reported no time, is never over.
  if (!(observe.nowMs - pod.unreadySinceMs >= allowedMs)) return undefined;
  const since = new Date(pod.unreadySinceMs).toISOString();
  const where = nodeName === undefined ? 'has not been scheduled to a node' : `on node ${nodeName} has not been ready`;
  const describe = `kubectl -n ${namespace} describe pod ${name}`;
  return new VdoError({
    code: 'WorkloadsNotReady',
    message: isSilent
      ? `${driver.toUpperCase()}: node ${nodeName} is not ready (${ready.message ?? 'its kubelet does not respond'}), and pod ${name} on it has not been ready since ${since}: VDO does not serve the volumes of this node`
      : `${driver.toUpperCase()}: pod ${name} ${where} since ${since}`,
    remedy: isSilent
      ? `Repair the node. To see its state: kubectl describe node ${nodeName}. To see why, on the node: journalctl -u kubelet. If its VM no longer exists: kubectl delete node ${nodeName}`
      : `To see why: ${describe}${nodeName === undefined ? '' : `, or kubectl -n ${namespace} logs ${name} --all-containers`}`,
  });
};

export interface PodObservation {
  readonly namespace: string;
  readonly nowMs: number;
  /** A Node by its name, if it is known. */
  readonly node: (name: string) => Node | undefined;
}

/**
 * What keeps the pods of a driver from running, if the kubelet reports it or they have not been ready for long. Only for a driver that is not ready; page by
 * page, because there may be a pod on each of thousands of nodes, and only until the first missing image is found.
 */
export const findPodProblem = async (
  kube: KubeClient,
  driver: DriverKind,
  { signal, ...observe }: PodObservation & { readonly signal: AbortSignal },
): Promise<VdoError | undefined> => {
  const { namespace } = observe;
  const query = { namespace, signal, labelSelector: `${driverLabel}=${driver}`, limit: pageSize };
  let first: VdoError | undefined;
  let late: VdoError | undefined;
  for await (const { items } of kube.pages(pods, query)) {
    const unready = items.flatMap((pod) => podFacts(pod) ?? []);
    const problem = problemOf(driver, unready.flatMap(namedWaiting), namespace);
    if (problem?.code === 'ImagePullFailed') return problem;
    first ??= problem;
    for (const pod of unready) late ??= lingering(driver, pod, observe);
  }
  return first ?? late;
};
