import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { KubeClient } from '@vdo/kube/client';
import { nodes, type Pod, pods } from '@vdo/kube/types/core';
import type { CsiPlugins } from './csi-plugins.ts';
import { publishDrivers } from './plugin-registration.ts';
import { podStatus } from './pod-status.ts';
import type { PodWorker } from './pod-worker.ts';

export interface HollowPodOptions {
  readonly kube: KubeClient;
  readonly pod: Pod;
  readonly plugins: Pick<CsiPlugins, 'anyDriver'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const pollMs = 1_000;

/** The folder of the node for the sockets of CSI drivers; a pod that mounts it registers a driver. */
const isPlugin = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some((volume) =>
    (volume as { readonly hostPath?: { readonly path: string } }).hostPath?.path.endsWith('/plugins_registry'),
  );

/** A pod that is reported as running but does not run, for nodes that exist only to be counted. A driver is reported as registered. */
export const createHollowPod = (options: HollowPodOptions): PodWorker => {
  const { kube, pod, plugins, clock } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const { name = '', namespace = '' } = pod.metadata;
  const nodeName = pod.spec.nodeName ?? '';

  const register = async (): Promise<void> => {
    for (;;) {
      const driver = plugins.anyDriver();
      const node = driver && (await kube.find(nodes, { name: nodeName }, { signal }));
      const nodeID = node?.status?.nodeInfo?.systemUUID;
      if (driver && nodeID) return publishDrivers(kube, nodeName, [{ ...driver, nodeID }]);
      await sleep(clock, pollMs, { signal });
    }
  };
  const live = async (): Promise<void> => {
    const status = podStatus(pod, { state: 'ready', address: '127.0.0.1', restarts: 0, nowMs: clock.now() });
    await kube.patch(pods, { name, namespace }, { type: 'merge', body: { status } }, { subresource: 'status', signal });
    if (isPlugin(pod)) await register();
  };
  const done = live().catch((error: unknown) => {
    if (!signal.aborted) options.logger.warn('cannot report the status of a hollow pod', { pod: name, error });
  });
  return {
    stop: async () => {
      stopping.abort(new Error('the pod was deleted'));
      await done;
    },
  };
};
