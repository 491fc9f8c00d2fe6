import type { CnsQueryFilter, CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { VCenter } from '@vdo/vsphere/vcenter';
import type { Sight, SightQuestion } from './sight.ts';
import type { Volume } from './volume.ts';
import { parseVolumeId } from './volume-id.ts';

/** The answers of several vCenters to one query. */
export interface Located {
  readonly volumes: readonly Volume[];
  /** vCenters that did not answer, with the error: it is not known what they have. */
  readonly failures: ReadonlyMap<string, unknown>;
}

export interface ObserveOptions {
  readonly signal: AbortSignal;
  /** Whether an empty answer of a vCenter that lists nothing at all counts as no answer; false by default. */
  readonly isSure?: boolean;
}

export interface VolumeLocator {
  byId(id: string, options: ObserveOptions): Promise<Located>;
  /** All block volumes that this cluster registered. */
  all(options: { readonly signal: AbortSignal }): Promise<Located>;
  /** Volumes of exactly this name that this cluster registered. */
  byName(name: string, options: ObserveOptions & Pick<SightQuestion, 'kind'>): Promise<Located>;
}

/** A volume as CNS reports it, with its vCenter. */
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

/** The volume with this ID, on any vCenter. Throws if it was not found and a vCenter did not answer, because that one may have it. */
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

  /** For certainty: a vCenter that answered but lists no volumes at all counts as not having answered. */
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
      // vCenter applies the filter, and it is not certain that it matches exactly.
      const exact = volumes.filter((volume) => volume.name === name && volume.clusterIds.includes(clusterId));
      return { volumes: exact, failures };
    },
  };
};
