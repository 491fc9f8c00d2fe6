import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
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
import { isDone } from './pod-status.ts';
import { createPodWorker, type PodWorker } from './pod-worker.ts';
import { claimedVolumes } from './volumes/decide-mount.ts';
import { createVolumeManager } from './volumes/volume-manager.ts';
import { openVolumeRecords, recordId } from './volumes/volume-records.ts';

export interface ProcessKubeletOptions {
  readonly kube: KubeClient;
  /** Runs the pods of this namespace only. Default: of all. */
  readonly namespace?: string;
  /** Which pods it looks after, and which of them it may run: all others are left to other kubelets. Default: all. */
  readonly own?: {
    readonly isClaimed: (pod: Pod) => boolean;
    readonly isOurs: (pod: Pod) => Promise<boolean>;
  };
  /** Keeps everybody else's pods off the nodes; it does not keep off those that it runs itself. */
  readonly ownTaint?: string;
  /** Pods' files go below it. What is mounted is noted there too: a kubelet that starts again with it continues. */
  readonly folder: string;
  readonly run: ContainerRunner;
  /** What the cluster is told about the address that a pod listens on. Default: the same. */
  readonly shownAddress?: (address: string) => string;
  /** Nodes whose pods are only said to run. Default: none. */
  readonly isHollow?: (nodeName: string) => boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Pods on nodes are numbered; what is below these names outlives a kubelet. */
const lasting = { nodes: 'nodes', records: 'volumes' };
const bindRetryMs = 500;
const strangerRetryMs = 1_000;

/**
 * Scheduler and kubelet for machines without a container runtime: pods run as local processes. It is a plain API client,
 * so it serves the embedded API server and a real one alike. It plays the kubelets of all nodes at once.
 */
export const createProcessKubelet = (options: ProcessKubeletOptions): { run(signal: AbortSignal): Promise<void> } => {
  const { kube, clock, random, logger, namespace, own } = options;
  // A loopback address of its own per pod, so that ports of pods on the host network do not collide; in a network of its own,
  // so that two sandboxes on one machine do not either.
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

    // Not the uid: a unix socket below this folder has room for 107 bytes of path.
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
      // An expansion may wait for the volume to be mounted.
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

    /** Ends what runs for pods that vanished without a word, as by a forced deletion. */
    const endVanished = async (): Promise<void> => {
      const alive = new Set(podInformer.list().map(({ metadata }) => metadata.uid ?? ''));
      const known = new Set([...workers.keys(), ...records.all().flatMap((record) => Object.keys(record.pods))]);
      for (const uid of known) {
        if (alive.has(uid)) continue;
        await end(uid);
        volumeController.enqueue(`pod:${uid}`);
      }
    };

    /** Takes from a pod that has ended what it had; a deleted one is gone then. */
    const finish = async (pod: Pod): Promise<void> => {
      const { uid = '', name = '', namespace: home = '' } = pod.metadata;
      await end(uid);
      const unused = await volumes.unpublish(uid);
      if (pod.metadata.deletionTimestamp)
        await kube.delete(pods, { name, namespace: home }, { gracePeriodSeconds: 0, uid, signal });
      for (const id of unused) volumeController.enqueue(`volume:${id}`);
    };
    /** The nodes as their own pods see them. */
    const openNodes = () =>
      nodeInformer.list().map((node) => {
        const taints = node.spec.taints?.filter(({ key }) => key !== options.ownTaint);
        return taints ? { ...node, spec: { ...node.spec, taints } } : node;
      });
    const place = async (pod: Pod): Promise<ReconcileResult> => {
      const isPlaced = await bindPod(pod, { kube, nodes: openNodes, load }, signal);
      return isPlaced ? {} : { requeueAfterMs: bindRetryMs };
    };

    /** Of a pod that does not run yet. */
    const settle = async (pod: Pod): Promise<ReconcileResult> => {
      // Which workloads are ours may be told a moment later.
      if (own && !(await own.isOurs(pod))) return { requeueAfterMs: strangerRetryMs };
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
    // What an earlier kubelet left mounted for pods that are gone.
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
