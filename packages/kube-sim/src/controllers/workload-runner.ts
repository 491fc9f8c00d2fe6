import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { type NodeCondition, type Pod, pods } from '@vdo/kube/types/core';
import { parseKey } from '@vdo/kube/types/resource';
import { timestamp } from '../json.ts';
import type { LocalApi } from './local-api.ts';
import { ownKeys, type SimController } from './run-controllers.ts';

export interface WorkloadControl {
  /** Aborted when the pod is deleted or the server stops. */
  readonly signal: AbortSignal;
  /** The pod's containers are ready from here on. */
  ready(): void;
  /** A line of the pod's log. */
  log(line: string): void;
}

/** Runs a pod's container inside this process. Returning before the abort, or throwing, counts as a crash. */
export type Workload = (pod: Pod, control: WorkloadControl) => Promise<void>;

export interface WorkloadRunnerOptions {
  readonly api: LocalApi;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Which workload an image name stands for; pods of unknown images stay in ErrImagePull. */
  readonly workloadOf: (image: string) => Workload | undefined;
}

interface Report {
  readonly pod: Pod;
  readonly isReady: boolean;
  readonly state: Readonly<Record<string, unknown>>;
  /** Where the content of containers differs. Default: no difference. */
  readonly stateOf?: (image: string) => Readonly<Record<string, unknown>>;
  readonly restarts: number;
  readonly podIP: string;
}

interface Running {
  readonly stop: () => Promise<void>;
}

/** A kubelet tries to pull again after this time. */
const imageRetryMs = 10_000;
const firstRestartMs = 1_000;
/** The longest wait of a kubelet. */
const longestRestartMs = 300_000;
/** Each crash doubles the wait, as a kubelet does, which begins with ten seconds. */
const restartMs = (restarts: number): number =>
  Math.min(longestRestartMs, firstRestartMs * 2 ** Math.min(restarts, 20));

/** A kubelet for all nodes at once: pods with a node run in this process, and go when they are deleted. */
export const createWorkloadRunner = (
  options: WorkloadRunnerOptions,
): SimController & { logs(uid: string): string | undefined } => {
  const { api, clock, logger } = options;
  const running = new Map<string, Running>();
  const logs = new Map<string, string>();
  let addresses = 0;

  const report = ({ pod, isReady, state, stateOf = () => state, restarts, podIP }: Report): void => {
    const { name = '', namespace = '', uid } = pod.metadata;
    const found = api.get(pods, { name, namespace });
    if (!found || found.metadata.uid !== uid) return;
    const condition = (type: string, isTrue: boolean): NodeCondition => {
      const status = isTrue ? 'True' : 'False';
      const last = found.status?.conditions?.find((item) => item.type === type);
      const since = last?.status === status ? last.lastTransitionTime : undefined;
      return { type, status, lastTransitionTime: since ?? timestamp(clock.now()) };
    };
    api.updateStatus(pods, found, {
      ...found.status,
      phase: 'Running',
      podIP,
      conditions: [
        condition('PodScheduled', true),
        condition('Initialized', true),
        condition('ContainersReady', isReady),
        condition('Ready', isReady),
      ],
      containerStatuses: pod.spec.containers.map((container) => ({
        name: container.name,
        image: container.image,
        imageID: '',
        ready: isReady,
        started: isReady,
        restartCount: restarts,
        state: stateOf(container.image),
      })),
    });
  };

  /** Containers whose images exist run beside those that wait for theirs. */
  const reportUnpulled = (pod: Pod): void => {
    const state = { waiting: { reason: 'ErrImagePull' } };
    const runs = { running: { startedAt: pod.metadata.creationTimestamp } };
    const stateOf = (image: string) => (options.workloadOf(image) ? runs : state);
    report({ pod, isReady: false, state, stateOf, restarts: 0, podIP: '' });
  };

  const start = (pod: Pod, workload: Workload): Running => {
    const stopping = new AbortController();
    const uid = pod.metadata.uid ?? '';
    addresses += 1;
    const podIP = `10.244.${(addresses >> 8) & 255}.${addresses & 255}`;
    const log = (line: string) => {
      logs.set(uid, `${logs.get(uid) ?? ''}${line}\n`);
    };
    const runOnce = async (restarts: number): Promise<void> => {
      const state = { running: { startedAt: timestamp(clock.now()) } };
      report({ pod, isReady: false, state, restarts, podIP });
      try {
        const ready = () => report({ pod, isReady: true, state, restarts, podIP });
        await workload(pod, { signal: stopping.signal, log, ready });
      } catch (error) {
        if (!stopping.signal.aborted) log(error instanceof Error ? error.message : String(error));
      }
    };
    const live = async (): Promise<void> => {
      for (let restarts = 0; ; restarts++) {
        await runOnce(restarts);
        if (stopping.signal.aborted) return;
        report({
          pod,
          isReady: false,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          restarts: restarts + 1,
          podIP,
        });
        await sleep(clock, restartMs(restarts), { signal: stopping.signal }).catch(() => {});
        if (stopping.signal.aborted) return;
      }
    };
    const done = live();
    return {
      stop: async () => {
        stopping.abort(new Error('the pod ends'));
        await done;
      },
    };
  };

  const end = (pod: Pod): void => {
    const uid = pod.metadata.uid ?? '';
    const worker = running.get(uid);
    running.delete(uid);
    const remove = () => api.remove(pods, pod, { isForced: true });
    // As a kubelet does: first the containers are reported as ended, then the pod is deleted.
    const reportEnd = () => {
      const state = { terminated: { exitCode: 0, finishedAt: timestamp(clock.now()) } };
      report({ pod, isReady: false, state, restarts: 0, podIP: pod.status?.podIP ?? '' });
      remove();
    };
    if (worker)
      worker
        .stop()
        .then(reportEnd, (error: unknown) => logger.error('a pod did not end', { pod: pod.metadata.name, error }));
    else remove();
  };

  return {
    name: 'workload-runner',
    logs: (uid) => logs.get(uid),
    keysOf: (event) => {
      // Deleted immediately (forced): its workload must not continue to run.
      if (event.bucket === '/pods' && event.type === 'DELETED') end(event.object as unknown as Pod);
      return ownKeys('/pods')(event);
    },
    reconcile: (key) => {
      const pod = api.get(pods, parseKey(key));
      if (!pod || pod.spec.nodeName === undefined) return undefined;
      const uid = pod.metadata.uid ?? '';
      if (pod.metadata.deletionTimestamp !== undefined) {
        if (pod.metadata.deletionGracePeriodSeconds !== 0) end(pod);
        return undefined;
      }
      if (running.has(uid)) return undefined;
      const workload = options.workloadOf(pod.spec.containers[0]?.image ?? '');
      if (workload && pod.spec.containers.every(({ image }) => options.workloadOf(image))) {
        running.set(uid, start(pod, workload));
        return undefined;
      }
      reportUnpulled(pod);
      return imageRetryMs;
    },
    stop: async () => {
      await Promise.all([...running.values()].map(({ stop }) => stop()));
      running.clear();
    },
  };
};
