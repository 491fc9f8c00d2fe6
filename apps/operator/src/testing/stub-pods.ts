import { aborted } from '@vdo/base/async/aborted';
import type { Pod } from '@vdo/kube/types/core';
import type { Workload } from '@vdo/kube-sim/controllers/workload-runner';

export type StubBehaviour = 'ready' | 'unready' | 'crash' | 'no-image';

export interface StubPodOptions {
  /** What a pod does from the moment it is ready until the signal. Default: nothing. */
  readonly whileReady?: ((pod: Pod, signal: AbortSignal) => Promise<unknown>) | undefined;
}

/** Stands in for the drivers: pods are ready at once, unless the test says otherwise for their image. */
export const createStubPods = ({ whileReady }: StubPodOptions = {}) => {
  const behaviours = new Map<string, StubBehaviour>();
  const behaviourOf = (image: string): StubBehaviour =>
    [...behaviours].find(([part]) => image.includes(part))?.[1] ?? 'ready';
  let byPod: (pod: Pod, image: string) => StubBehaviour | undefined = () => undefined;

  const runAs =
    (usual: StubBehaviour, image: string): Workload =>
    async (pod, { ready, signal }) => {
      const behaviour = byPod(pod, image) ?? usual;
      if (behaviour === 'crash') throw new Error('the stub crashes as told');
      if (behaviour === 'ready') ready();
      await Promise.all([aborted(signal), behaviour === 'ready' && whileReady?.(pod, signal)]);
    };

  return {
    /** Pods of images whose name contains the text behave so from their next start. */
    behave: (imagePart: string, behaviour: StubBehaviour): void => {
      behaviours.set(imagePart, behaviour);
    },
    /** The same for single pods; undefined: as their image. */
    behaveBy: (choose: typeof byPod): void => {
      byPod = choose;
    },
    workloadOf: (image: string): Workload | undefined => {
      const behaviour = behaviourOf(image);
      return behaviour === 'no-image' ? undefined : runAs(behaviour, image);
    },
  };
};
