import type { CnsQueryFilter, CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { VCenter } from '@vdo/vsphere/vcenter';
import type { Sight, SightQuestion } from './sight.ts';
import type { Volume } from './volume.ts';
import { parseVolumeId } from './volume-id.ts';

/** What several vCenters answered to one question. */
export interface Located {
  readonly volumes: readonly Volume[];
  /** vCenters that did not answer, with the reason: what they hold is not known. */
  readonly failures: ReadonlyMap<string, unknown>;
}

export interface ObserveOptions {
  readonly signal: AbortSignal;
  /** That there is none is not believed of a vCenter that shows nothing at all. Default false. */
  readonly isSure?: boolean;
}

export interface VolumeLocator {
  byId(id: string, options: ObserveOptions): Promise<Located>;
  /** All block volumes that this cluster registered. */
  all(options: { readonly signal: AbortSignal }): Promise<Located>;
  /** Volumes of exactly this name that this cluster registered. */
  byName(name: string, options: ObserveOptions & Pick<SightQuestion, 'kind'>): Promise<Located>;
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
  options: ObserveOptions,
): Promise<Volume | undefined> => {
  const { volumes, failures } = await locator.byId(id, options);
  const [volume] = volumes;
  const [failure] = failures.values();
  if (!volume && failures.size > 0) throw failure;
  return volume;
};

export const createVolumeLocator = (deps: {
  readonly vcenters: readonly VCenter[];
  readonly clusterId: string;
  readonly sight: Sight;
}): VolumeLocator => {
  const { vcenters, clusterId, sight } = deps;

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

  /** To be sure: who answered, and shows nothing of anybody, has not answered. */
  const observe = async (
    filter: CnsQueryFilter,
    { signal, kind, missing, isSure = false }: ObserveOptions & Pick<SightQuestion, 'kind' | 'missing'>,
  ): Promise<Located> => {
    const first = await ask(filter, signal);
    if (first.volumes.length > 0 || !isSure) return first;
    const failures = new Map(first.failures);
    for (const { server } of vcenters)
      if (!failures.has(server))
        await sight
          .assertShowing({ server, signal, kind, missing })
          .catch((error: unknown) => void failures.set(server, error));
    signal.throwIfAborted();
    const { volumes, failures: more } = await ask(filter, signal);
    return { volumes, failures: new Map([...failures, ...more]) };
  };

  return {
    byId: async (id, options) => {
      const { volumes, failures } = await observe(
        { volumeIds: [id] },
        { ...options, missing: { id }, kind: parseVolumeId(id)?.kind === 'file' ? 'file' : 'block' },
      );
      return { volumes: volumes.filter((volume) => volume.id === id), failures };
    },
    all: ({ signal }) => ask({ clusterIds: [clusterId] }, signal),
    byName: async (name, options) => {
      const filter = { names: [name], clusterIds: [clusterId] };
      const { volumes, failures } = await observe(filter, { ...options, missing: { name } });
      // The filter is vCenter's; that it matched exactly is not ours to assume.
      const exact = volumes.filter((volume) => volume.name === name && volume.clusterIds.includes(clusterId));
      return { volumes: exact, failures };
    },
  };
};
