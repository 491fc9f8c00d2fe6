import type { Pod } from '@vdo/kube/types/core';

export type ContainerState = 'creating' | 'starting' | 'ready' | 'crashed' | 'succeeded' | 'failed';

const phases: Readonly<Record<ContainerState, string>> = {
  creating: 'Pending',
  starting: 'Running',
  ready: 'Running',
  crashed: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
};

const containerState = (state: ContainerState, message: string, time: string): Readonly<Record<string, unknown>> => {
  switch (state) {
    case 'creating':
      return { waiting: { reason: 'ContainerCreating', message } };
    case 'crashed':
      return { waiting: { reason: 'CrashLoopBackOff', message } };
    case 'succeeded':
      return { terminated: { exitCode: 0, reason: 'Completed', finishedAt: time } };
    case 'failed':
      return { terminated: { exitCode: 1, reason: 'Error', message, finishedAt: time } };
    default:
      return { running: { startedAt: time } };
  }
};

/** A pod whose containers have ended and are not restarted. */
export const isDone = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '');

/** The status that a kubelet would report; it depends only on whether the processes run and are ready. */
export const podStatus = (
  pod: Pod,
  options: {
    readonly state: ContainerState;
    readonly address: string;
    readonly restarts: number;
    readonly nowMs: number;
    readonly message?: string;
  },
): NonNullable<Pod['status']> => {
  const ready = options.state === 'ready';
  const time = new Date(options.nowMs).toISOString();
  const condition = (type: string, status: boolean) => ({
    type,
    status: status ? ('True' as const) : ('False' as const),
    lastTransitionTime: time,
  });
  const state = containerState(options.state, options.message ?? '', time);
  return {
    phase: phases[options.state],
    podIP: options.address,
    conditions: [
      condition('PodScheduled', true),
      condition('Initialized', true),
      condition('ContainersReady', ready),
      condition('Ready', ready),
    ],
    containerStatuses: pod.spec.containers.map(({ name, image }) => ({
      name,
      ready,
      restartCount: options.restarts,
      state,
      image,
      imageID: '',
      started: ready,
    })),
  };
};
