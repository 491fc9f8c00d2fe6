import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import type { ReconcileResult } from '@vdo/kube/controller';
import { createController } from '@vdo/kube/create-controller';
import { createInformer } from '@vdo/kube/create-informer';
import { nodes, type Pod, pods } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import { keyOf, type Resource } from '@vdo/kube/types/resource';
import type { ContainerRunner } from './container-runner.ts';
import { createPodWorker, type PodWorker } from './pod-worker.ts';
import { chooseNode } from './schedule.ts';

interface Binding extends KubeObject {
  readonly target: { readonly apiVersion: string; readonly kind: string; readonly name: string };
}

/** The subresource through which a scheduler puts a pod on a node: a Binding, posted below the pod. */
const podBindings: Resource<Binding> = { group: '', version: 'v1', plural: 'pods', kind: 'Binding', namespaced: true };

export interface ProcessKubeletOptions {
  readonly kube: KubeClient;
  readonly namespace: string;
  /** Pods' files go below it. */
  readonly folder: string;
  readonly run: ContainerRunner;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Scheduler and kubelet for machines without a container runtime: pods of one namespace run as local processes. It is a
 * plain API client, so it serves the embedded API server and a real one alike.
 */
export const createProcessKubelet = (options: ProcessKubeletOptions): { run(signal: AbortSignal): Promise<void> } => {
  const { kube, clock, random, logger, metrics, namespace } = options;
  const workers = new Map<string, { readonly worker: PodWorker; readonly folder: string }>();
  const common = { client: kube, clock, random, logger };
  const podInformer = createInformer({ ...common, resource: pods, namespace });
  const nodeInformer = createInformer({ ...common, resource: nodes });
  // A loopback address of its own per pod, so that ports of pods on the host network do not collide; in a network of its own,
  // so that two sandboxes on one machine do not either.
  const octet = (from: number, to: number) => from + Math.floor(random.next() * (to - from));
  const network = `127.${octet(64, 255)}.${octet(0, 256)}`;
  let started = 0;

  const bind = async (pod: Pod, signal: AbortSignal): Promise<ReconcileResult> => {
    const node = chooseNode(pod, nodeInformer.list());
    if (!node) return { requeueAfterMs: 1_000 };
    const target = { apiVersion: 'v1', kind: 'Node', name: node.metadata.name ?? '' };
    const binding: Binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: pod.metadata.name ?? '', namespace },
      target,
    };
    await kube.create(podBindings, binding, { subresource: 'binding', signal });
    return {};
  };

  const begin = (pod: Pod): void => {
    const number = ++started;
    const address = `${network}.${number}`;
    // Not the uid: a unix socket below this folder has room for 107 bytes of path.
    const folder = join(options.folder, String(number));
    workers.set(pod.metadata.uid ?? '', { worker: createPodWorker({ ...options, pod, address, folder }), folder });
  };

  const end = async (uid: string): Promise<void> => {
    const known = workers.get(uid);
    workers.delete(uid);
    await known?.worker.stop();
    if (known) await rm(known.folder, { recursive: true, force: true });
  };

  const reconcile = async (key: string, { signal }: { readonly signal: AbortSignal }): Promise<ReconcileResult> => {
    const pod = podInformer.get(key);
    const uid = pod?.metadata.uid ?? '';
    const alive = new Set(podInformer.list().map(({ metadata }) => metadata.uid ?? ''));
    for (const gone of [...workers.keys()].filter((known) => !alive.has(known))) await end(gone);
    if (!pod) return {};
    if (pod.metadata.deletionTimestamp) {
      await end(uid);
      await kube.delete(pods, { name: pod.metadata.name ?? '', namespace }, { gracePeriodSeconds: 0, uid, signal });
      return {};
    }
    if (!pod.spec.nodeName) return bind(pod, signal);
    if (!workers.has(uid)) begin(pod);
    return {};
  };

  const controller = createController({
    name: 'process-kubelet',
    reconcile,
    workers: 4,
    clock,
    random,
    logger,
    metrics,
  });
  podInformer.onChange(({ object }) => controller.enqueue(keyOf(object)));
  nodeInformer.onChange(() => {
    for (const pod of podInformer.list().filter(({ spec }) => !spec.nodeName)) controller.enqueue(keyOf(pod));
  });

  return {
    run: async (signal) => {
      await Promise.all([podInformer.run(signal), nodeInformer.run(signal), controller.run(signal)]);
      await Promise.all([...workers.keys()].map(end));
    },
  };
};
