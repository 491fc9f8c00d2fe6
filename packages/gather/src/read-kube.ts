import type {
  AttachmentFacts,
  CrdFacts,
  PersistentVolumeFacts,
  RegistrationFacts,
  WorkloadFacts,
} from '@vdo/checks/facts/kube-facts';
import { type PodFacts, podFacts } from '@vdo/checks/facts/pod-facts';
import { attempt, type Reading } from '@vdo/checks/facts/reading';
import { configuredClusterId } from '@vdo/config/configured-cluster-id';
import { names } from '@vdo/config/names';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, type Node, nodes, type PersistentVolume, persistentVolumes, pods } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { csiNodes, storageClasses, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import type { GatherDeps, KubeReader } from './gather-deps.ts';

const snapshotCrds = ['volumesnapshotclasses', 'volumesnapshotcontents', 'volumesnapshots'] as const;

interface InTreePersistentVolume {
  readonly vsphereVolume?: { readonly volumePath?: string };
}

/** Page size for kinds with thousands of objects. */
const pageSize = 100;

/** Passes all objects to `take`, page by page, so that a hundred thousand of them are never in memory together. */
const readEach = async <T extends KubeObject>(
  kube: KubeReader,
  resource: Resource<T>,
  {
    take,
    ...options
  }: { readonly namespace?: string; readonly signal: AbortSignal; readonly take: (object: T) => void },
): Promise<void> => {
  for await (const { items } of kube.pages(resource, { ...options, limit: pageSize })) items.forEach(take);
};

const readPersistentVolumes = async (kube: KubeReader, signal: AbortSignal): Promise<PersistentVolumeFacts> => {
  const handles = new Map<string, string>();
  const inTree: { readonly name: string; readonly path: string }[] = [];
  const take = ({ metadata: { name = '' }, spec }: PersistentVolume): void => {
    if (spec.csi?.driver === names.csiDriver) handles.set(spec.csi.volumeHandle, name);
    const path = (spec as InTreePersistentVolume).vsphereVolume?.volumePath;
    if (path !== undefined) inTree.push({ name, path });
  };
  await readEach(kube, persistentVolumes, { take, signal });
  return { handles, inTree };
};

const readAttachments = async (kube: KubeReader, signal: AbortSignal): Promise<AttachmentFacts> => {
  const pending: VolumeAttachment[] = [];
  let total = 0;
  const take = (attachment: VolumeAttachment): void => {
    const { spec, status, metadata } = attachment;
    if (spec.attacher !== names.csiDriver) return;
    total += 1;
    if (!status?.attached || metadata.deletionTimestamp !== undefined) pending.push(attachment);
  };
  await readEach(kube, volumeAttachments, { take, signal });
  return { total, pending };
};

const readRegistrations = async (
  kube: KubeReader,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RegistrationFacts>> => {
  const found = new Map<string, RegistrationFacts>();
  await readEach(kube, csiNodes, {
    take: ({ metadata, spec }) => {
      const driver = spec.drivers?.find(({ name }) => name === names.csiDriver);
      if (!driver) return;
      const { nodeID, topologyKeys = [] } = driver;
      found.set(metadata.name ?? '', { nodeID, topologyKeys });
    },
    signal,
  });
  return found;
};

const readUnreadyPods = async (
  kube: KubeReader,
  namespaces: Iterable<string>,
  signal: AbortSignal,
): Promise<readonly PodFacts[]> => {
  const unready: PodFacts[] = [];
  for (const namespace of namespaces)
    await readEach(kube, pods, {
      take: (pod) => {
        const facts = podFacts(pod);
        if (facts) unready.push(facts);
      },
      namespace,
      signal,
    });
  return unready;
};

/** Reads from the API server, each separately: a refused one does not affect the others. */
export const createKubeReadings = ({ kube, namespace }: GatherDeps, signal: AbortSignal) => ({
  nodes: (): Promise<Reading<readonly Node[]>> =>
    attempt(async () => (await kube.list(nodes, { signal })).items, signal),
  serverVersion: () => attempt(() => kube.serverVersion({ signal }), signal),
  storageClasses: () => attempt(async () => (await kube.list(storageClasses, { signal })).items, signal),

  persistentVolumes: (): Promise<Reading<PersistentVolumeFacts>> =>
    attempt(() => readPersistentVolumes(kube, signal), signal),

  attachments: (): Promise<Reading<AttachmentFacts>> => attempt(() => readAttachments(kube, signal), signal),
  registrations: () => attempt(() => readRegistrations(kube, signal), signal),

  /** In our namespace and in those in which our drivers run. */
  unreadyPods: (workloads: readonly WorkloadFacts[]): Promise<Reading<readonly PodFacts[]>> => {
    const namespaces = new Set([namespace, ...workloads.filter(({ ours }) => ours).map((one) => one.namespace)]);
    return attempt(() => readUnreadyPods(kube, namespaces, signal), signal);
  },

  snapshotCrds: (): Promise<Reading<readonly CrdFacts[]>> =>
    attempt(
      () =>
        Promise.all(
          snapshotCrds.map(async (plural) => {
            const name = `${plural}.snapshot.storage.k8s.io`;
            const crd = await kube.find(customResourceDefinitions, { name }, { signal });
            const versions = (crd?.spec['versions'] ?? []) as readonly {
              readonly name?: string;
              readonly served?: boolean;
            }[];
            const servesV1 = versions.some((version) => version.name === 'v1' && version.served === true);
            return { name, exists: crd !== undefined, servesV1 };
          }),
        ),
      signal,
    ),

  /** What the storage driver stores beside the report of its full syncs while it stops deletions. */
  clusterIdSharedBy: () =>
    attempt(async () => {
      const found = await kube.find(configMaps, { namespace, name: names.csiSyncReport }, { signal });
      const { sign } = JSON.parse(found?.data?.[names.csiHeartbeatKey] ?? '{}') as { readonly sign?: string };
      return sign;
    }, signal),

  /** As the storage driver recorded it at its first start: ours, or an upstream one before it; else as configured. */
  clusterId: () =>
    attempt(async () => {
      for (const place of [namespace, names.upstreamCsiNamespace]) {
        const found = await kube.find(configMaps, { namespace: place, name: names.csiClusterId }, { signal });
        if (found?.data?.[names.csiClusterIdKey]) return found.data[names.csiClusterIdKey];
      }
      const { configMap: name, configKey } = names;
      const given = await kube.find(configMaps, { namespace, name }, { signal });
      return configuredClusterId(given?.data?.[configKey]);
    }, signal),
});

export type KubeReadings = ReturnType<typeof createKubeReadings>;
