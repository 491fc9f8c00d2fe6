import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { type Pod, pods } from '@vdo/kube/types/core';
import type { DriverKind } from '@vdo/releases/matrix';
import { driverLabel } from '@vdo/releases/render/labels';

const pullReasons = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];
const startReasons = ['CrashLoopBackOff', 'CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'];

interface Waiting {
  readonly pod: string;
  readonly container: string;
  readonly image: string;
  readonly reason: string;
  readonly message: string;
}

const waitingIn = ({ metadata, spec, status }: Pod): readonly Waiting[] =>
  (status?.containerStatuses ?? []).flatMap(({ name, state }) => {
    const waiting = state?.['waiting'] as { readonly reason?: string; readonly message?: string } | undefined;
    if (!waiting?.reason) return [];
    const image = spec.containers.find((container) => container.name === name)?.image ?? '';
    const { reason, message = '' } = waiting;
    return [{ pod: metadata.name ?? '', container: name, image, reason, message }];
  });

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

/** What keeps the pods of a driver from running, if the kubelet says so. Asked only for a driver that is not ready. */
export const findPodProblem = async (
  kube: KubeClient,
  driver: DriverKind,
  options: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<VdoError | undefined> => {
  const { namespace, signal } = options;
  const { items } = await kube.list(pods, { namespace, labelSelector: `${driverLabel}=${driver}`, signal });
  return problemOf(driver, items.flatMap(waitingIn), namespace);
};
