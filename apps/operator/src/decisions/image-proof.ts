import { VdoError } from '@vdo/base/vdo-error';
import type { Pod } from '@vdo/kube/types/core';

export type ImageProof =
  | { readonly kind: 'pulled' }
  | { readonly kind: 'pending'; readonly message: string }
  | { readonly kind: 'failed'; readonly problem: VdoError };

/** The reason that a switch of the distribution reports while it waits for images. */
export const imagesPending = 'ImagesPending';

const pullReasons = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
];
/** A kubelet reports these only after it has pulled the image of the container. */
const startReasons = ['CrashLoopBackOff', 'RunContainerError', 'CreateContainerError', 'CreateContainerConfigError'];

interface State {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: unknown;
  readonly terminated?: unknown;
}
interface Seen {
  readonly image: string;
  readonly imageID?: string;
  readonly state: State;
  readonly lastState: State;
}

const seenIn = ({ spec, status }: Pod): readonly Seen[] =>
  (status?.containerStatuses ?? []).map((one) => {
    const {
      imageID,
      state = {},
      lastState = {},
    } = one as {
      readonly imageID?: string;
      readonly state?: State;
      readonly lastState?: State;
    };
    const image = spec.containers.find(({ name }) => name === one.name)?.image ?? '';
    return { image, state, lastState, ...(imageID === undefined ? {} : { imageID }) };
  });

const isPulled = ({ imageID, state, lastState }: Seen): boolean =>
  (imageID !== undefined && imageID !== '') ||
  state.running !== undefined ||
  state.terminated !== undefined ||
  lastState.terminated !== undefined ||
  startReasons.includes(state.waiting?.reason ?? '');

const list = (images: readonly string[]): string =>
  images.slice(0, 3).join(', ') + (images.length > 3 ? ` and ${images.length - 3} more` : '');

const unscheduled = (pods: readonly Pod[]): string => {
  const said = pods.flatMap(({ status }) => status?.conditions ?? []);
  const { message } = said.find(({ type, status }) => type === 'PodScheduled' && status === 'False') ?? {};
  return message ? ` (${message})` : '';
};

/** What the pods of the image probe report about these images. */
export const judgeImages = (images: readonly string[], pods: readonly Pod[], namespace: string): ImageProof => {
  const alive = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const seen = alive.flatMap((pod) => seenIn(pod).map((one) => ({ ...one, pod: pod.metadata.name ?? '' })));
  const missing = images.filter((image) => !seen.some((one) => one.image === image && isPulled(one)));
  if (missing.length === 0) return { kind: 'pulled' };
  const failed = seen.find(
    ({ image, state }) => missing.includes(image) && pullReasons.includes(state.waiting?.reason ?? ''),
  );
  if (!failed) {
    const message = `Pulling the images of the new drivers before the old drivers are removed: ${list(missing)}${unscheduled(alive)}.`;
    return { kind: 'pending', message };
  }
  const { reason = '', message = '' } = failed.state.waiting ?? {};
  return {
    kind: 'failed',
    problem: new VdoError({
      code: 'ImagePullFailed',
      message: `pod ${failed.pod} cannot pull ${failed.image} (${reason}${message === '' ? '' : `: ${message}`})`,
      remedy: `Make the image available to the nodes: set spec.images.registry to a mirror that has it, or spec.images.pullSecrets if it needs credentials. kubectl -n ${namespace} describe pod ${failed.pod} shows each attempt.`,
    }),
  };
};
