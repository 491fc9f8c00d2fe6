import type { CnsQueryFilter, CnsVolume } from '@vdo/vsphere/cns/cns-client';
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
  /** Volumes of exactly this name that this cluster registered. */
  byName(name: string, options: { readonly signal: AbortSignal }): Promise<Located>;
}

const toVolume =
  (server: string) =>
  (volume: CnsVolume): Volume => ({
    id: volume.id,
    server,
    name: volume.name,
    sizeMb: volume.capacityMb,
    datastoreUrl: volume.datastoreUrl,
    clusterIds: volume.containerClusterIds,
  });

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
      if (answer?.status === 'fulfilled') return answer.value.map(toVolume(server));
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
    byName: async (name, { signal }) => {
      const { volumes, failures } = await ask({ names: [name], clusterIds: [clusterId] }, signal);
      // The filter is vCenter's; that it matched exactly is not ours to assume.
      const exact = volumes.filter((volume) => volume.name === name && volume.clusterIds.includes(clusterId));
      return { volumes: exact, failures };
    },
  };
};
