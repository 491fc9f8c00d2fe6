import { VdoError } from '@vdo/base/vdo-error';
import { type PodFacts, podFacts, type WaitingContainer } from '@vdo/checks/facts/pod-facts';
import type { KubeClient } from '@vdo/kube/client';
import { pods } from '@vdo/kube/types/core';
import type { DriverKind } from '@vdo/releases/matrix';
import { driverLabel } from '@vdo/releases/render/labels';

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
        message: `${driver.toUpperCase()}: container ${failing.container} of pod ${failing.pod} does not stay up (${failing.reason}${said(failing.message)})`,
        remedy: `kubectl -n ${namespace} logs ${failing.pod} -c ${failing.container} --previous tells why.`,
      })
    : undefined;
};

/**
 * What keeps the pods of a driver from running, if the kubelet says so. Asked only for a driver that is not ready; page by
 * page, because there may be a pod on each of thousands of nodes, and no further than the first image that is missing.
 */
export const findPodProblem = async (
  kube: KubeClient,
  driver: DriverKind,
  options: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<VdoError | undefined> => {
  const query = { ...options, labelSelector: `${driverLabel}=${driver}`, limit: pageSize };
  let first: VdoError | undefined;
  for await (const { items } of kube.pages(pods, query)) {
    const waiting = items.flatMap((pod) => podFacts(pod) ?? []).flatMap(namedWaiting);
    const problem = problemOf(driver, waiting, options.namespace);
    if (problem?.code === 'ImagePullFailed') return problem;
    first ??= problem;
  }
  return first;
};
