import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { backoffMs } from '@vdo/base/retry';
import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { type Pod, pods } from '@vdo/kube/types/core';
import { containerCommand } from './container-command.ts';
import type { ContainerRunner } from './container-runner.ts';
import { placeNodeIdentity } from './node-identity.ts';
import { registerPlugins } from './plugin-registration.ts';
import { type PathMap, placePodFiles } from './pod-files.ts';
import { type ContainerState, podStatus } from './pod-status.ts';
import { isReady } from './probe.ts';

export interface PodWorkerOptions {
  readonly kube: KubeClient;
  readonly pod: Pod;
  readonly address: string;
  readonly folder: string;
  readonly run: ContainerRunner;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

export interface PodWorker {
  /** Ends the containers and waits for them. */
  stop(): Promise<void>;
}

const probeEveryMs = 200;
const registerEveryMs = 1_000;

/** Keeps the containers of one pod running, restarts them with backoff and reports the pod's status on change. */
export const createPodWorker = (options: PodWorkerOptions): PodWorker => {
  const { kube, pod, address, clock } = options;
  const key = { name: pod.metadata.name ?? '', namespace: pod.metadata.namespace ?? '' };
  const logger = options.logger.child({ pod: key.name });
  const stopping = new AbortController();
  const { signal } = stopping;
  let restarts = 0;

  const report = async (state: ContainerState, message?: string): Promise<void> => {
    const status = podStatus(pod, {
      state,
      address,
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

  // A driver may not be able to tell its place before the node is initialised: the kubelet asks again until it does.
  const register = async (onNode: PathMap, running: AbortSignal): Promise<void> => {
    for (;;) {
      try {
        await registerPlugins(kube, pod, onNode);
        return;
      } catch (error) {
        logger.debug('a plugin does not register yet', { error });
      }
      await sleep(clock, registerEveryMs, { signal: running });
    }
  };

  const runOnce = async (): Promise<void> => {
    const attempt = new AbortController();
    const running = AbortSignal.any([signal, attempt.signal]);
    const paths = await placePodFiles(kube, pod, options.folder);
    await placeNodeIdentity(kube, pod, paths.onNode);
    await report('starting');
    const containers = pod.spec.containers.map((container) =>
      options.run(
        {
          pod,
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

  const loop = async (): Promise<void> => {
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await runOnce();
      } catch (error) {
        if (signal.aborted) return;
        restarts++;
        logger.warn('pod failed', { error, restarts });
        await report('crashed', error instanceof Error ? error.message : String(error)).catch(() => {});
      }
      await sleep(clock, backoffMs(failures, options.random, { initialMs: 500, maxMs: 10_000 }), { signal }).catch(
        () => {},
      );
    }
  };

  const done = loop();
  return {
    stop: async () => {
      stopping.abort(new Error('the pod is deleted'));
      await done;
    },
  };
};
