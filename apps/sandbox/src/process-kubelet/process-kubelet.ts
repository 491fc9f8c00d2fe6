import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { ReconcileResult } from '@vdo/kube/controller';
import { createController } from '@vdo/kube/create-controller';
import { createInformer } from '@vdo/kube/create-informer';
import { nodes, type Pod, persistentVolumeClaims, pods } from '@vdo/kube/types/core';
import { keyOf, parseKey } from '@vdo/kube/types/resource';
import { bindPod } from './bind-pod.ts';
import type { ContainerRunner } from './container-runner.ts';
import { createCsiPlugins } from './csi-plugins.ts';
import { createHollowPod } from './hollow-pod.ts';
import { publishDrivers } from './plugin-registration.ts';
import { isDone, podStatus } from './pod-status.ts';
import { createPodWorker, type PodWorker } from './pod-worker.ts';
import { claimedVolumes } from './volumes/decide-mount.ts';
import { createVolumeManager } from './volumes/volume-manager.ts';
import { openVolumeRecords, recordId } from './volumes/volume-records.ts';

export interface ProcessKubeletOptions {
  readonly kube: KubeClient;
  /** Runs only the pods of this namespace. Default: all namespaces. */
  readonly namespace?: string;
  /** Selects the pods to watch, and which of them may run; other kubelets run the rest. Default: all. */
  readonly own?: {
    readonly isClaimed: (pod: Pod) => boolean;
    readonly isOurs: (pod: Pod) => Promise<boolean>;
  };
  /** Keeps pods of others off the nodes, but not the pods that it runs itself. */
  readonly ownTaint?: string;
  /** Folder for the files of pods, and for the records of mounted volumes: a restarted kubelet continues from them. */
  readonly folder: string;
  readonly run: ContainerRunner;
  /** The pod address to report to the cluster. Default: the address on which the pod listens. */
  readonly shownAddress?: (address: string) => string;
  /** Nodes whose pods are only reported as running. Default: none. */
  readonly isHollow?: (nodeName: string) => boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Pods of a node are numbered; the files under these numbers survive a kubelet. */
const lasting = { nodes: 'nodes', records: 'volumes' };
const bindRetryMs = 500;
const otherPodRetryMs = 1_000;

/**
 * Scheduler and kubelet for machines without a container runtime: pods run as local processes. It is a plain API client,
 * so it works with the embedded API server and with a real one. It acts as the kubelet of all nodes.
 */
export const createProcessKubelet = (options: ProcessKubeletOptions): { run(signal: AbortSignal): Promise<void> } => {
  const { kube, clock, random, logger, namespace, own } = options;
  // Each pod has its own loopback address, so that ports of pods on the host network do not collide. Each sandbox has its own
  // address range, so that two sandboxes on one machine do not collide either.
  const octet = (from: number, to: number) => from + Math.floor(random.next() * (to - from));
  const network = `127.${octet(64, 255)}.${octet(0, 256)}`;

  const start = async () => {
    await mkdir(options.folder, { recursive: true });
    const kept = Object.values(lasting);
    for (const left of (await readdir(options.folder)).filter((name) => !kept.includes(name)))
      await rm(join(options.folder, left), { recursive: true, force: true });
    const records = await openVolumeRecords(join(options.folder, lasting.records));
    const plugins = createCsiPlugins();
    const volumes = createVolumeManager({
      kube,
      plugins,
      records,
      folder: join(options.folder, lasting.nodes),
      clock,
    });
    return { records, plugins, volumes };
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    const { records, plugins, volumes } = await start();
    const workers = new Map<string, { readonly worker: PodWorker; readonly pod: Pod; readonly number: number }>();
    const common = { client: kube, clock, random, logger, ...(namespace === undefined ? {} : { namespace }) };
    const podInformer = createInformer({ ...common, resource: pods });
    const claimInformer = createInformer({ ...common, resource: persistentVolumeClaims });
    const nodeInformer = createInformer({ client: kube, clock, random, logger, resource: nodes });
    const load = (): ReadonlyMap<string, number> => {
      const counts = new Map<string, number>();
      for (const { spec } of podInformer.list().filter((pod) => !isDone(pod)))
        counts.set(spec.nodeName ?? '', (counts.get(spec.nodeName ?? '') ?? 0) + 1);
      return counts;
    };

    // Not the UID: the path of a unix socket below this folder can have at most 107 bytes.
    const folderOf = (number: number): string => join(options.folder, String(number));
    const begin = (pod: Pod): void => {
      if (options.isHollow?.(pod.spec.nodeName ?? '')) {
        workers.set(pod.metadata.uid ?? '', { worker: createHollowPod({ ...options, plugins, pod }), pod, number: 0 });
        return;
      }
      const taken = new Set([...workers.values()].map((known) => known.number));
      let number = 1;
      while (taken.has(number)) number++;
      const address = `${network}.${number}`;
      const folder = folderOf(number);
      // An expansion may be waiting for the volume to be mounted.
      const onMounted = () => {
        for (const { claimName } of claimedVolumes(pod))
          volumeController.enqueue(`claim:${pod.metadata.namespace}/${claimName}`);
      };
      const worker = createPodWorker({ ...options, plugins, volumes, onMounted, pod, address, folder });
      workers.set(pod.metadata.uid ?? '', { worker, pod, number });
    };

    const end = async (uid: string): Promise<void> => {
      const known = workers.get(uid);
      if (!known) return;
      await known.worker.stop();
      if (known.number > 0) await rm(folderOf(known.number), { recursive: true, force: true });
      workers.delete(uid);
      const { nodeName = '' } = known.pod.spec;
      if (plugins.removeOf(uid) && !signal.aborted) await publishDrivers(kube, nodeName, plugins.driversOn(nodeName));
    };

    /** Stops pods that disappeared without a graceful deletion, such as after a forced deletion. */
    const endVanished = async (): Promise<void> => {
      const alive = new Set(podInformer.list().map(({ metadata }) => metadata.uid ?? ''));
      const known = new Set([...workers.keys(), ...records.all().flatMap((record) => Object.keys(record.pods))]);
      for (const uid of known) {
        if (alive.has(uid)) continue;
        await end(uid);
        volumeController.enqueue(`pod:${uid}`);
      }
    };

    /** Before a deleted pod goes, a kubelet reports that its containers have ended: who waits for that must not take a lost pod for an ended one. */
    const reportEnd = async (pod: Pod): Promise<void> => {
      const { name = '', namespace: home = '' } = pod.metadata;
      const reported = {
        state: 'succeeded',
        address: pod.status?.podIP ?? '',
        restarts: 0,
        nowMs: clock.now(),
      } as const;
      const body = { metadata: { uid: pod.metadata.uid }, status: podStatus(pod, reported) };
      const key = { name, namespace: home };
      await kube
        .patch(pods, key, { type: 'merge', body }, { subresource: 'status', signal })
        .catch((error: unknown) => {
          if (!isVdoError(error, 'KubeNotFound') && !isVdoError(error, 'KubeConflict')) throw error;
        });
    };

    /** Releases the resources of a pod that has ended; a deleted pod is then removed. */
    const finish = async (pod: Pod): Promise<void> => {
      const { uid = '', name = '', namespace: home = '' } = pod.metadata;
      const ran = workers.has(uid);
      await end(uid);
      if (ran && pod.metadata.deletionTimestamp && !isDone(pod)) await reportEnd(pod);
      const unused = await volumes.unpublish(uid);
      if (pod.metadata.deletionTimestamp)
        await kube.delete(pods, { name, namespace: home }, { gracePeriodSeconds: 0, uid, signal });
      for (const id of unused) volumeController.enqueue(`volume:${id}`);
    };
    /** The nodes as seen by their own pods. */
    const openNodes = () =>
      nodeInformer.list().map((node) => {
        const taints = node.spec.taints?.filter(({ key }) => key !== options.ownTaint);
        return taints ? { ...node, spec: { ...node.spec, taints } } : node;
      });
    const place = async (pod: Pod): Promise<ReconcileResult> => {
      const isPlaced = await bindPod(pod, { kube, nodes: openNodes, load }, signal);
      return isPlaced ? {} : { requeueAfterMs: bindRetryMs };
    };

    /** Starts a pod that does not run yet. */
    const settle = async (pod: Pod): Promise<ReconcileResult> => {
      // The list of our workloads may be updated a moment later.
      if (own && !(await own.isOurs(pod))) return { requeueAfterMs: otherPodRetryMs };
      if (!pod.spec.nodeName) return place(pod);
      begin(pod);
      return {};
    };
    const reconcile = async (key: string): Promise<ReconcileResult> => {
      if (!podInformer.hasSynced()) return { requeueAfterMs: 50 };
      const pod = podInformer.get(key);
      if (!pod) await endVanished();
      else if (own && !own.isClaimed(pod)) return {};
      else if (pod.metadata.deletionTimestamp || isDone(pod)) await finish(pod);
      else if (!workers.has(pod.metadata.uid ?? '')) return settle(pod);
      return {};
    };

    const reconcileVolume = async (text: string): Promise<ReconcileResult> => {
      const [kind, key = ''] = text.split(/:(.*)/s);
      if (kind === 'pod') for (const id of await volumes.unpublish(key)) volumeController.enqueue(`volume:${id}`);
      if (kind === 'volume') await volumes.release(key);
      if (kind === 'claim') await volumes.expand(parseKey(key));
      return {};
    };

    const backoff = { initialMs: 200, maxMs: 5_000 };
    const controller = createController({ ...options, name: 'process-kubelet', reconcile, workers: 8, backoff });
    const volumeController = createController({
      ...options,
      name: 'process-kubelet-volumes',
      reconcile: reconcileVolume,
      workers: 8,
      backoff,
    });
    podInformer.onChange(({ object }) => controller.enqueue(keyOf(object)));
    claimInformer.onChange(({ object }) => volumeController.enqueue(`claim:${keyOf(object)}`));
    nodeInformer.onChange(() => {
      for (const pod of podInformer.list().filter(({ spec }) => !spec.nodeName)) controller.enqueue(keyOf(pod));
    });
    // Volumes that an earlier kubelet left mounted for deleted pods.
    controller.enqueue('');
    for (const record of records.all()) volumeController.enqueue(`volume:${recordId(record)}`);

    await Promise.all([
      ...[podInformer, claimInformer, nodeInformer].map((informer) => informer.run(signal)),
      controller.run(signal),
      volumeController.run(signal),
    ]);
    await Promise.all([...workers.keys()].map(end));
  };

  return { run };
};
