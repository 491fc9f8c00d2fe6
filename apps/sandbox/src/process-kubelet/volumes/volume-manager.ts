import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import { type Clock, sleep } from '@vdo/base/clock';
import { NodeServiceCapability_RPC_Type as Rpc } from '@vdo/csi-proto/gen/csi-pb';
import type { KubeClient } from '@vdo/kube/client';
import {
  nodes,
  type PersistentVolume,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
} from '@vdo/kube/types/core';
import type { ObjectKey } from '@vdo/kube/types/resource';
import { csiDrivers, volumeAttachments } from '@vdo/kube/types/storage';
import { attachmentName } from '@vdo/kube-sim/controllers/attach-detach';
import { uniqueVolumeName } from '@vdo/kube-sim/controllers/pod-volumes';
import type { CsiPlugins, NodePlugin } from '../csi-plugins.ts';
import { expansionDone, pendingExpansion } from './decide-expansion.ts';
import { boundVolume, type ClaimedVolume, claimedVolumes, publishContextOf, type Readiness } from './decide-mount.ts';
import { capabilityOf, podInfo } from './node-messages.ts';
import { volumePaths } from './volume-paths.ts';
import { recordId, type VolumeRecord, type VolumeRecords } from './volume-records.ts';

export interface VolumeManagerOptions {
  readonly kube: KubeClient;
  readonly plugins: CsiPlugins;
  readonly records: VolumeRecords;
  /** Contains a folder per node: its /var/lib/kubelet. */
  readonly folder: string;
  readonly clock: Clock;
}

/** Mounts and unmounts the volumes of claims, in the order of a kubelet. */
export interface VolumeManager {
  /** Waits until all claimed volumes are mounted; returns their paths by their names in the pod. */
  mount(
    pod: Pod,
    options: { readonly signal: AbortSignal; readonly onWait: (what: string) => Promise<void> },
  ): Promise<ReadonlyMap<string, string>>;
  /** Unpublishes the volumes of a pod; returns the IDs of records that are no longer needed. */
  unpublish(podUid: string): Promise<readonly string[]>;
  /** Unstages a volume that no pod needs, so that it can be detached. */
  release(id: string): Promise<void>;
  /** Expands the file system of a claim where it is mounted, if the claim requests it. */
  expand(claim: ObjectKey): Promise<void>;
}

const pollMs = 200;
/** The timeout that the kubelet gives a driver. */
const callTimeout = { timeoutMs: 120_000 };

const capabilitiesOf = async (plugin: NodePlugin): Promise<ReadonlySet<Rpc>> => {
  const { capabilities } = await plugin.nodeGetCapabilities({}, callTimeout);
  return new Set(capabilities.flatMap(({ type }) => (type.case === 'rpc' ? [type.value.type] : [])));
};

/** The driver removes what it created. If it leaves an empty folder, that is removed; anything else is kept. */
const removeEmpty = (path: string): Promise<void> => rmdir(path).catch(() => {});

export const createVolumeManager = (options: VolumeManagerOptions): VolumeManager => {
  const { kube, plugins, records, clock } = options;
  const locks = createKeyedLock();
  const kubeletFolder = (nodeName: string) => join(options.folder, nodeName);

  const until = async <T>(
    ask: () => Promise<Readiness<T>>,
    { signal, onWait }: Parameters<VolumeManager['mount']>[1],
  ): Promise<T> => {
    for (let reported = ''; ; ) {
      const answer = await ask();
      if ('ready' in answer) return answer.ready;
      if (answer.waiting !== reported) await onWait(answer.waiting);
      reported = answer.waiting;
      await sleep(clock, pollMs, { signal });
    }
  };

  const findBound = async (namespace: string, claimName: string): Promise<Readiness<PersistentVolume>> => {
    const claim = await kube.find(persistentVolumeClaims, { namespace, name: claimName });
    const name = claim?.spec.volumeName;
    return boundVolume(claimName, claim, name === undefined ? undefined : await kube.find(persistentVolumes, { name }));
  };

  const reportInUse = (nodeName: string): Promise<void> =>
    locks.run(`node ${nodeName}`, async () => {
      const used = records.all().filter((record) => record.nodeName === nodeName && record.attachable);
      const volumesInUse = [...new Set(used.map(uniqueVolumeName))].sort();
      const body = { status: { volumesInUse } };
      if (await kube.find(nodes, { name: nodeName }))
        await kube.patch(nodes, { name: nodeName }, { type: 'merge', body }, { subresource: 'status' });
    });

  /** Records that a pod needs a volume, before anything is attached or mounted for it. */
  const note = async (pod: Pod, volume: PersistentVolume, claimName: string, attachable: boolean): Promise<string> => {
    const nodeName = pod.spec.nodeName ?? '';
    const volumeName = volume.metadata.name ?? '';
    const id = recordId({ nodeName, volumeName });
    await locks.run(id, async () => {
      const known = records.get(id);
      const uid = pod.metadata.uid ?? '';
      await records.put({
        nodeName,
        volumeName,
        driver: volume.spec.csi?.driver ?? '',
        volumeHandle: volume.spec.csi?.volumeHandle ?? '',
        claim: { namespace: pod.metadata.namespace ?? '', name: claimName },
        attachable,
        ...known,
        pods: { ...known?.pods, [uid]: known?.pods[uid] ?? {} },
      });
    });
    if (attachable) await reportInUse(nodeName);
    return id;
  };

  const publish = async (
    id: string,
    { pod, volume, readOnly }: { readonly pod: Pod; readonly volume: PersistentVolume; readonly readOnly: boolean },
    { context, withPodInfo }: { readonly context: Readonly<Record<string, string>>; readonly withPodInfo: boolean },
  ): Promise<string> => {
    const record = records.get(id);
    const { csi } = volume.spec;
    if (!record || !csi) throw new Error(`the volume ${volume.metadata.name} was released while it was mounted`);
    const uid = pod.metadata.uid ?? '';
    const plugin = plugins.connect(record.nodeName, record.driver);
    const capabilities = await capabilitiesOf(plugin);
    const paths = volumePaths(kubeletFolder(record.nodeName), volume, uid);
    const staging = capabilities.has(Rpc.STAGE_UNSTAGE_VOLUME) ? { stagingTargetPath: paths.stagingPath } : undefined;
    const common = {
      volumeId: csi.volumeHandle,
      publishContext: { ...context },
      volumeCapability: capabilityOf(volume, capabilities),
    };
    const staged = { ...record, ...(staging && { stagingPath: paths.stagingPath }) };
    if (staging) {
      await records.put(staged);
      await mkdir(paths.stagingPath, { recursive: true, mode: 0o750 });
      await plugin.nodeStageVolume({ ...common, ...staging, volumeContext: { ...csi.volumeAttributes } }, callTimeout);
    }
    const { targetPath } = paths;
    await records.put({ ...staged, pods: { ...staged.pods, [uid]: { targetPath } } });
    await mkdir(dirname(targetPath), { recursive: true, mode: 0o750 });
    const volumeContext = { ...csi.volumeAttributes, ...(withPodInfo && podInfo(pod)) };
    await plugin.nodePublishVolume(
      { ...common, ...staging, targetPath, readonly: readOnly || (csi.readOnly ?? false), volumeContext },
      callTimeout,
    );
    return targetPath;
  };

  const mountOne = async (
    pod: Pod,
    { claimName, readOnly }: ClaimedVolume,
    waiting: Parameters<VolumeManager['mount']>[1],
  ): Promise<string> => {
    const volume = await until(() => findBound(pod.metadata.namespace ?? '', claimName), waiting);
    const { csi } = volume.spec;
    const driver = csi && (await kube.find(csiDrivers, { name: csi.driver }));
    const attachable = driver?.spec.attachRequired !== false;
    const id = await note(pod, volume, claimName, attachable);
    const attachment = { name: csi ? attachmentName(csi, pod.spec.nodeName ?? '') : '' };
    const context = attachable
      ? await until(
          async () => publishContextOf(volume.metadata.name ?? '', await kube.find(volumeAttachments, attachment)),
          waiting,
        )
      : {};
    const withPodInfo = driver?.spec.podInfoOnMount ?? false;
    return locks.run(id, () => publish(id, { pod, volume, readOnly }, { context, withPodInfo }));
  };

  const unpublishOne = (id: string, podUid: string): Promise<boolean> =>
    locks.run(id, async () => {
      const record = records.get(id);
      const use = record?.pods[podUid];
      if (!record || !use) return false;
      const { targetPath } = use;
      if (targetPath !== undefined) {
        const plugin = plugins.connect(record.nodeName, record.driver);
        await plugin.nodeUnpublishVolume({ volumeId: record.volumeHandle, targetPath }, callTimeout);
        await removeEmpty(targetPath);
        await removeEmpty(dirname(targetPath));
      }
      const { [podUid]: _, ...pods } = record.pods;
      await records.put({ ...record, pods });
      return Object.keys(pods).length === 0;
    });

  const expandOne = (record: VolumeRecord, volume: PersistentVolume, bytes: bigint): Promise<void> =>
    locks.run(recordId(record), async () => {
      const targetPath = Object.values(record.pods).find((use) => use.targetPath !== undefined)?.targetPath ?? '';
      const plugin = plugins.connect(record.nodeName, record.driver);
      const capabilities = await capabilitiesOf(plugin);
      // A driver that does not offer it has nothing to do on the node.
      if (!capabilities.has(Rpc.EXPAND_VOLUME)) return;
      await plugin.nodeExpandVolume(
        {
          volumeId: record.volumeHandle,
          volumePath: targetPath,
          stagingTargetPath: record.stagingPath ?? '',
          capacityRange: { requiredBytes: bytes },
          volumeCapability: capabilityOf(volume, capabilities),
        },
        callTimeout,
      );
    });

  return {
    mount: async (pod, waiting) => {
      const paths = new Map<string, string>();
      for (const volume of claimedVolumes(pod)) paths.set(volume.name, await mountOne(pod, volume, waiting));
      return paths;
    },
    unpublish: async (podUid) => {
      const ids = records
        .all()
        .filter((record) => podUid in record.pods)
        .map(recordId);
      const unused = await Promise.all(ids.map(async (id) => ((await unpublishOne(id, podUid)) ? [id] : [])));
      return unused.flat();
    },
    release: async (id) => {
      const { nodeName } = records.get(id) ?? {};
      await locks.run(id, async () => {
        const record = records.get(id);
        if (!record || Object.keys(record.pods).length > 0) return;
        if (record.stagingPath !== undefined) {
          const plugin = plugins.connect(record.nodeName, record.driver);
          const request = { volumeId: record.volumeHandle, stagingTargetPath: record.stagingPath };
          await plugin.nodeUnstageVolume(request, callTimeout);
          await removeEmpty(record.stagingPath);
        }
        await records.remove(record);
      });
      if (nodeName !== undefined) await reportInUse(nodeName);
    },
    expand: async (key) => {
      const claim = await kube.find(persistentVolumeClaims, key);
      const volumeName = claim?.spec.volumeName;
      const volume = volumeName ? await kube.find(persistentVolumes, { name: volumeName }) : undefined;
      const bytes = claim && pendingExpansion(claim, volume);
      const mounted = records
        .all()
        .filter(
          (record) => record.volumeName === volumeName && Object.values(record.pods).some((use) => use.targetPath),
        );
      if (!claim || !volume || bytes === undefined || mounted.length === 0) return;
      const setStatus = (status: unknown) =>
        kube.patch(persistentVolumeClaims, key, { type: 'merge', body: { status } }, { subresource: 'status' });
      await setStatus({ allocatedResourceStatuses: { storage: 'NodeResizeInProgress' } });
      for (const record of mounted) await expandOne(record, volume, bytes);
      await setStatus(expansionDone(claim, volume));
    },
  };
};
