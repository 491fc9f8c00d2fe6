import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { backoffMs } from '@vdo/base/retry';
import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { type Pod, pods } from '@vdo/kube/types/core';
import { containerCommand } from './container-command.ts';
import type { ContainerRunner } from './container-runner.ts';
import type { CsiPlugins } from './csi-plugins.ts';
import { placeNodeIdentity } from './node-identity.ts';
import { registerPlugins } from './plugin-registration.ts';
import { type PathMap, placePodFiles } from './pod-files.ts';
import { type ContainerState, podStatus } from './pod-status.ts';
import { isReady } from './probe.ts';
import { claimedVolumes } from './volumes/decide-mount.ts';
import type { VolumeManager } from './volumes/volume-manager.ts';

export interface PodWorkerOptions {
  readonly kube: KubeClient;
  readonly pod: Pod;
  readonly address: string;
  readonly shownAddress?: (address: string) => string;
  readonly folder: string;
  readonly run: ContainerRunner;
  readonly plugins: CsiPlugins;
  readonly volumes: Pick<VolumeManager, 'mount'>;
  /** Called when the volumes of the pod are mounted. */
  readonly onMounted: () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

export interface PodWorker {
  /** Stops the containers and waits for them. */
  stop(): Promise<void>;
}

const probeEveryMs = 200;
const registerEveryMs = 1_000;

/** Keeps the containers of one pod running, restarts them with backoff, and reports changes of the pod's status. */
export const createPodWorker = (options: PodWorkerOptions): PodWorker => {
  const { kube, pod, address, clock } = options;
  const key = { name: pod.metadata.name ?? '', namespace: pod.metadata.namespace ?? '' };
  const logger = options.logger.child({ pod: key.name });
  const stopping = new AbortController();
  const { signal } = stopping;
  const { restartPolicy: policy = 'Always' } = pod.spec;
  let restarts = 0;

  const report = async (state: ContainerState, message?: string): Promise<void> => {
    const status = podStatus(pod, {
      state,
      address: options.shownAddress?.(address) ?? address,
      restarts,
      nowMs: clock.now(),
      ...(message === undefined ? {} : { message }),
    });
    try {
      await kube.patch(pods, key, { type: 'merge', body: { status } }, { subresource: 'status', signal });
    } catch (error) {
      if (!isVdoError(error, 'KubeNotFound')) throw error;
    }
  };

  const awaitReady = async (running: AbortSignal): Promise<void> => {
    for (;;) {
      const answers = await Promise.all(
        pod.spec.containers.map((container) => isReady(container, address, { signal: running })),
      );
      if (answers.every(Boolean)) break;
      await sleep(clock, probeEveryMs, { signal: running });
    }
    await report('ready');
  };

  // The socket appears some time after the container has started. A driver that is refused offers a new one.
  const register = async (onNode: PathMap, running: AbortSignal): Promise<void> => {
    const asked = new Set<string>();
    for (;;) {
      try {
        await registerPlugins(pod, onNode, { ...options, asked });
        return;
      } catch (error) {
        logger.debug('a plugin has not registered yet', { error });
      }
      await sleep(clock, registerEveryMs, { signal: running });
    }
  };

  const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  const pause = (failures: number): Promise<void> =>
    sleep(clock, backoffMs(failures, options.random, { initialMs: 500, maxMs: 10_000 }), { signal });

  /** No container starts before its volumes are mounted. */
  const mountVolumes = async (): Promise<ReadonlyMap<string, string>> => {
    if (claimedVolumes(pod).length === 0) return new Map();
    for (let failures = 1; ; failures++) {
      try {
        return await options.volumes.mount(pod, { signal, onWait: (what) => report('creating', what) });
      } catch (error) {
        signal.throwIfAborted();
        logger.warn('volumes are not mounted yet', { error });
        await report('creating', textOf(error)).catch(() => {});
      }
      await pause(failures);
    }
  };

  const runOnce = async (mounted: ReadonlyMap<string, string>): Promise<void> => {
    const attempt = new AbortController();
    const running = AbortSignal.any([signal, attempt.signal]);
    const paths = await placePodFiles(kube, pod, { folder: options.folder, mounted });
    await placeNodeIdentity(kube, pod, paths.onNode);
    await report('starting');
    const containers = pod.spec.containers.map((container) =>
      options.run(
        {
          pod,
          container,
          command: containerCommand(pod, container, { address, paths: paths.inContainer }),
          folder: options.folder,
        },
        { signal: running },
      ),
    );
    const readiness = awaitReady(running)
      .then(() => register(paths.onNode, running))
      .catch((error: unknown) => {
        if (!running.aborted) throw error;
      });
    try {
      await Promise.race([Promise.all(containers), Promise.all([readiness, ...containers])]);
    } finally {
      attempt.abort(new Error('a container of the pod ended'));
      await Promise.allSettled([...containers, readiness]);
    }
  };

  const live = async (): Promise<void> => {
    const mounted = await mountVolumes();
    options.onMounted();
    for (let runs = 1; !signal.aborted; runs++) {
      const outcome = await runOnce(mounted).then(
        () => ({ state: 'succeeded' as const, message: 'all containers have ended' }),
        (error: unknown) => ({ state: 'failed' as const, message: textOf(error) }),
      );
      if (signal.aborted) return;
      const isOver = policy === 'Never' || (policy === 'OnFailure' && outcome.state === 'succeeded');
      if (isOver) return report(outcome.state, outcome.message);
      restarts++;
      logger.warn('pod ended, restarting it', { reason: outcome.message, restarts });
      await report('crashed', outcome.message).catch(() => {});
      await pause(runs).catch(() => {});
    }
    return undefined;
  };

  const done = live().catch((error: unknown) => {
    if (!signal.aborted) logger.error('pod ended', { error });
  });
  return {
    stop: async () => {
      stopping.abort(new Error('the pod was deleted'));
      await done;
    },
  };
};
