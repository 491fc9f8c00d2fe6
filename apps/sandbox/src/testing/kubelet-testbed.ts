import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aborted } from '@vdo/base/async/aborted';
import { waitUntil } from '@vdo/base/async/wait-until';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createInformer } from '@vdo/kube/create-informer';
import {
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { createSimWorldOn } from '@vdo/sim-world/create-sim-world';
import type { ContainerRunner } from '../process-kubelet/container-runner.ts';
import { createProcessKubelet } from '../process-kubelet/process-kubelet.ts';
import { createFakeDriver, fakeDriverName } from './fake-driver.ts';

const finalizer = 'external-attacher/disks-example-com';
const socketPath = '/var/lib/kubelet/plugins/disks/csi.sock';

export interface KubeletTestbedOptions {
  readonly driver?: ReturnType<typeof createFakeDriver>;
  /** Default xfs. */
  readonly fsType?: string;
  /** The publish context that the driver's controller returns when it attaches a volume. */
  readonly publishContext?: (volumeName: string) => Promise<Readonly<Record<string, string>>>;
}

/** An API server, a driver whose controller side always succeeds, and a kubelet: all in this process, on real sockets. */
export const startKubeletTestbed = async (options: KubeletTestbedOptions = {}) => {
  const clock = createSystemClock();
  const world = createSimWorldOn(clock, { models: {} });
  const { client: kube, random } = world;
  const common = { clock, random, logger: silentLogger };
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-'));
  const driver = options.driver ?? createFakeDriver();
  const stopping = new AbortController();
  const { signal } = stopping;
  const started: { readonly pod: Pod; readonly env: Readonly<Record<string, string>> }[] = [];

  const run: ContainerRunner = async ({ pod, command }, { signal: ending }) => {
    started.push({ pod, env: command.env });
    const [app, socket = '', registry = ''] = command.args;
    const nodeName = pod.spec.nodeName ?? '';
    if (app === 'driver') return driver.serve({ nodeName, socket, registry, endpoint: socketPath }, ending);
    if (app === 'exit') return;
    if (app === 'fail') throw new Error('it failed');
    return aborted(ending);
  };
  const startKubelet = () => {
    const ending = new AbortController();
    const kubelet = createProcessKubelet({ ...common, kube, folder, run, metrics: createMetrics() });
    const done = kubelet.run(AbortSignal.any([signal, ending.signal]));
    return {
      stop: async () => {
        ending.abort(new Error('the kubelet stops'));
        await done;
      },
    };
  };

  const provision = async (claim: PersistentVolumeClaim): Promise<void> => {
    const { annotations, uid, name = '', namespace = '' } = claim.metadata;
    if (annotations?.['volume.kubernetes.io/storage-provisioner'] !== fakeDriverName || claim.spec.volumeName) return;
    await kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `pv-${name}` },
      spec: {
        capacity: { storage: claim.spec.resources?.requests?.storage ?? '' },
        accessModes: claim.spec.accessModes ?? [],
        volumeMode: claim.spec.volumeMode ?? 'Filesystem',
        storageClassName: claim.spec.storageClassName ?? '',
        mountOptions: ['noatime'],
        claimRef: { namespace, name, ...(uid && { uid }) },
        csi: {
          driver: fakeDriverName,
          volumeHandle: `disk-${name}`,
          fsType: options.fsType ?? 'xfs',
          volumeAttributes: { kind: 'fast' },
        },
      },
    });
  };
  const attach = async ({ metadata, status, spec }: VolumeAttachment): Promise<void> => {
    const patch = (body: unknown, subresource?: string) =>
      kube.patch(
        volumeAttachments,
        { name: metadata.name ?? '' },
        { type: 'merge', body },
        subresource ? { subresource } : {},
      );
    if (metadata.deletionTimestamp) await patch({ metadata: { finalizers: null } });
    else if (!status?.attached) {
      await patch({ metadata: { finalizers: [finalizer] } });
      const volumeName = spec.source.persistentVolumeName ?? '';
      const attachmentMetadata = (await options.publishContext?.(volumeName)) ?? { disk: `device-of-${volumeName}` };
      await patch({ status: { attached: true, attachmentMetadata } }, 'status');
    }
  };
  const claims = createInformer({ ...common, client: kube, resource: persistentVolumeClaims });
  const attachments = createInformer({ ...common, client: kube, resource: volumeAttachments });
  claims.onChange(({ type, object }) => void (type !== 'deleted' && provision(object).catch(() => {})));
  attachments.onChange(({ type, object }) => void (type !== 'deleted' && attach(object).catch(() => {})));
  const running = [claims.run(signal), attachments.run(signal)];

  const apply = async (object: AnyObject): Promise<void> => {
    const resource = await kube.resourceFor(object.apiVersion, object.kind);
    await kube.apply(resource, object, { fieldManager: 'test', force: true });
  };
  const until = <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> =>
    waitUntil(ask, { what, remedy: 'look at the calls of the driver', timeoutMs: 20_000, clock, signal });
  const isReady = async (name: string): Promise<boolean> => {
    const pod = await kube.find(pods, { namespace: 'default', name });
    return pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  };

  /** Nodes, each with the driver's pod, and a class whose claims the driver serves. */
  const setUp = async (
    nodeNames: readonly string[],
    { mode = 'WaitForFirstConsumer', podInfoOnMount = false, attachRequired = true } = {},
  ): Promise<void> => {
    const labelled = (name: string) => ({ name, labels: { 'kubernetes.io/hostname': name } });
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sys' } });
    await apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: fakeDriverName },
      spec: { podInfoOnMount, attachRequired },
    });
    await apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: fakeDriverName,
      volumeBindingMode: mode,
      allowVolumeExpansion: true,
    });
    for (const name of nodeNames) {
      await apply({ apiVersion: 'v1', kind: 'Node', metadata: labelled(name), spec: {} });
      const mounts = { socket: '/csi', registry: '/registration' };
      await apply({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `driver-${name}`, namespace: 'sys' },
        spec: {
          nodeSelector: { 'kubernetes.io/hostname': name },
          containers: [
            {
              name: 'driver',
              image: 'driver',
              command: ['driver', '/csi/csi.sock', '/registration'],
              volumeMounts: Object.entries(mounts).map(([volume, mountPath]) => ({ name: volume, mountPath })),
            },
          ],
          volumes: [
            { name: 'socket', hostPath: { path: '/var/lib/kubelet/plugins/disks' } },
            { name: 'registry', hostPath: { path: '/var/lib/kubelet/plugins_registry' } },
          ],
        },
      });
    }
  };

  return {
    kube,
    sim: world.kubeSim(),
    driver,
    folder,
    started,
    apply,
    until,
    isReady,
    setUp,
    startKubelet,
    stop: async () => {
      stopping.abort(new Error('the test is over'));
      await Promise.all(running);
      await world.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
