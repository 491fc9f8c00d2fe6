import type { Pod } from '@vdo/kube/types/core';

export type ContainerState = 'creating' | 'starting' | 'ready' | 'crashed';

/** What a kubelet would report for a pod whose only concern is whether its processes run and are ready. */
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
  const waiting = { creating: 'ContainerCreating', crashed: 'CrashLoopBackOff', starting: undefined, ready: undefined };
  const reason = waiting[options.state];
  const state = reason ? { waiting: { reason, message: options.message ?? '' } } : { running: { startedAt: time } };
  return {
    phase: options.state === 'creating' ? 'Pending' : 'Running',
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
