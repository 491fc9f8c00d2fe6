import type { CnsQueryFilter, CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { VCenter } from '@vdo/vsphere/vcenter';
import type { Volume } from './volume.ts';

/** What several vCenters answered to one question. */
export interface Located {
  readonly volumes: readonly Volume[];
  /** vCenters that did not answer, with the reason: what they hold is not known. */
  readonly failures: ReadonlyMap<string, unknown>;
}

export interface VolumeLocator {
  byId(id: string, options: { readonly signal: AbortSignal }): Promise<Located>;
  /** All block volumes that this cluster registered. */
  all(options: { readonly signal: AbortSignal }): Promise<Located>;
  /** Volumes of exactly this name that this cluster registered. */
  byName(name: string, options: { readonly signal: AbortSignal }): Promise<Located>;
}

/** A volume as CNS tells of it, with the vCenter it is on. */
export const toVolume = (server: string, volume: CnsVolume): Volume => ({
  id: volume.id,
  kind: volume.type === 'FILE' ? 'file' : 'block',
  server,
  name: volume.name,
  sizeMb: volume.capacityMb,
  datastoreUrl: volume.datastoreUrl,
  health: volume.healthStatus,
  clusterIds: volume.containerClusterIds,
  storagePolicyId: volume.storagePolicyId,
  diskPath: volume.diskPath,
});

/** The volume of this id, on whichever vCenter. Throws if it was not found and a vCenter did not answer: that one may hold it. */
export const findVolume = async (
  locator: Pick<VolumeLocator, 'byId'>,
  id: string,
  signal: AbortSignal,
): Promise<Volume | undefined> => {
  const { volumes, failures } = await locator.byId(id, { signal });
  const [volume] = volumes;
  const [failure] = failures.values();
  if (!volume && failures.size > 0) throw failure;
  return volume;
};

export const createVolumeLocator = (deps: {
  readonly vcenters: readonly VCenter[];
  readonly clusterId: string;
}): VolumeLocator => {
  const { vcenters, clusterId } = deps;

  const ask = async (filter: CnsQueryFilter, signal: AbortSignal): Promise<Located> => {
    const answers = await Promise.allSettled(vcenters.map(({ cns }) => cns.queryVolumes(filter, { signal })));
    signal.throwIfAborted();
    const failures = new Map<string, unknown>();
    const volumes = vcenters.flatMap(({ server }, index) => {
      const answer = answers[index];
      if (answer?.status === 'fulfilled') return answer.value.map((volume) => toVolume(server, volume));
      failures.set(server, answer?.reason);
      return [];
    });
    return { volumes, failures };
  };

  return {
    byId: async (id, { signal }) => {
      const { volumes, failures } = await ask({ volumeIds: [id] }, signal);
      return { volumes: volumes.filter((volume) => volume.id === id), failures };
    },
    all: ({ signal }) => ask({ clusterIds: [clusterId] }, signal),
    byName: async (name, { signal }) => {
      const { volumes, failures } = await ask({ names: [name], clusterIds: [clusterId] }, signal);
      // The filter is vCenter's; that it matched exactly is not ours to assume.
      const exact = volumes.filter((volume) => volume.name === name && volume.clusterIds.includes(clusterId));
      return { volumes: exact, failures };
    },
  };
};
