import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, type Node, nodes, type PersistentVolume, persistentVolumes, pods } from '@vdo/kube/types/core';
import { csiNodes, storageClasses, volumeAttachments } from '@vdo/kube/types/storage';
import { driverNames } from '../driver-names.ts';
import type { CrdFacts, PersistentVolumeFacts, WorkloadFacts } from '../facts/kube-facts.ts';
import { attempt, type Reading } from '../facts/reading.ts';
import type { GatherDeps, KubeReader } from './gather-deps.ts';

const snapshotCrds = ['volumesnapshotclasses', 'volumesnapshotcontents', 'volumesnapshots'] as const;

interface InTreePersistentVolume {
  readonly vsphereVolume?: { readonly volumePath?: string };
}

/** Page by page, so that a hundred thousand of them are never in memory together. */
const readPersistentVolumes = async (kube: KubeReader, signal: AbortSignal): Promise<PersistentVolumeFacts> => {
  const handles = new Map<string, string>();
  const inTree: { readonly name: string; readonly path: string }[] = [];
  const take = ({ metadata: { name = '' }, spec }: PersistentVolume): void => {
    if (spec.csi?.driver === driverNames.csiDriver) handles.set(spec.csi.volumeHandle, name);
    const path = (spec as InTreePersistentVolume).vsphereVolume?.volumePath;
    if (path !== undefined) inTree.push({ name, path });
  };
  for await (const { items } of kube.pages(persistentVolumes, { signal })) items.forEach(take);
  return { handles, inTree };
};

/** Reads of the API server, each on its own: one that is refused leaves the others alone. */
export const createKubeReadings = ({ kube, namespace }: GatherDeps, signal: AbortSignal) => ({
  nodes: (): Promise<Reading<readonly Node[]>> =>
    attempt(async () => (await kube.list(nodes, { signal })).items, signal),
  serverVersion: () => attempt(() => kube.serverVersion({ signal }), signal),
  storageClasses: () => attempt(async () => (await kube.list(storageClasses, { signal })).items, signal),

  persistentVolumes: (): Promise<Reading<PersistentVolumeFacts>> =>
    attempt(() => readPersistentVolumes(kube, signal), signal),

  attachments: () =>
    attempt(async () => {
      const { items } = await kube.list(volumeAttachments, { signal });
      return items.filter(({ spec }) => spec.attacher === driverNames.csiDriver);
    }, signal),

  csiNodes: () =>
    attempt(async () => {
      const { items } = await kube.list(csiNodes, { signal });
      return new Map(items.map((item) => [item.metadata.name ?? '', item]));
    }, signal),

  /** Pods of our namespace and of those where drivers of ours run. */
  pods: (workloads: readonly WorkloadFacts[]) =>
    attempt(async () => {
      const namespaces = new Set([namespace, ...workloads.filter(({ ours }) => ours).map((one) => one.namespace)]);
      const lists = await Promise.all([...namespaces].map((one) => kube.list(pods, { namespace: one, signal })));
      return lists.flatMap(({ items }) => items);
    }, signal),

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

  /** As the storage driver recorded it at its first start: ours, or an upstream one before it. */
  clusterId: () =>
    attempt(async () => {
      for (const place of [namespace, driverNames.upstreamNamespace]) {
        const found = await kube.find(configMaps, { namespace: place, name: driverNames.clusterId }, { signal });
        if (found?.data?.['clusterID']) return found.data['clusterID'];
      }
      return undefined;
    }, signal),
});

export type KubeReadings = ReturnType<typeof createKubeReadings>;
