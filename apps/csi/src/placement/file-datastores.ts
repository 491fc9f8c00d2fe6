import type { Clock } from '@vdo/base/clock';
import { withoutTrailing } from '@vdo/base/cut-text';
import { isNamedCluster } from '@vdo/config/named-cluster';
import type { FileCluster, FileServices } from '@vdo/vsphere/inventory/file-services';
import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';
import { createVersionedCache } from './versioned-cache.ts';

/** Datastores that nodes of one vCenter share. */
export interface SharedOn {
  readonly server: string;
  readonly shared: readonly DatastoreFacts[];
  readonly fileServices: FileServices | undefined;
}

export interface FileDatastoresOptions {
  /** URLs of the datastores for file shares; empty: any vSAN datastore. */
  readonly urls: readonly string[];
  /** Clusters for file shares, by name, inventory path or ID; empty: any. */
  readonly clusters: readonly string[];
  readonly clock: Clock;
  /** How long an answer of vCenter is cached. */
  readonly maxAgeMs: number;
}

const isVsan = ({ type }: DatastoreFacts): boolean => type === 'vsan';
const pathsOf = (clusters: readonly FileCluster[]): string =>
  clusters.map(({ path }) => path).join(', ') || 'none that vCenter shows';
const plain = (url: string): string => withoutTrailing(url, '/');

/** Explains why datastores cannot store file shares. Reads from vCenter whether the file service of a cluster is enabled. If vCenter does not report it, the datastore is tried. */
export const createFileDatastores = ({ urls, clusters, clock, maxAgeMs }: FileDatastoresOptions) => {
  const cache = createVersionedCache<ReadonlyMap<string, boolean>>({ clock, maxAgeMs });

  const switchedOff = async (
    { server, shared, fileServices }: SharedOn,
    signal: AbortSignal,
  ): Promise<readonly DatastoreFacts[]> => {
    const candidates = shared.filter(isVsan);
    if (!fileServices || candidates.length === 0) return [];
    const refs = candidates.map(({ ref }) => ref);
    const version = refs.map(({ value }) => value).join(' ');
    const enabled = await cache
      .get(server, version, () => fileServices.enabledOn(refs, { signal }))
      .catch(() => {
        signal.throwIfAborted();
        return new Map<string, boolean>();
      });
    return candidates.filter(({ ref }) => enabled.get(ref.value) === false);
  };

  const namedCache = createVersionedCache<ReadonlyMap<string, readonly FileCluster[]>>({ clock, maxAgeMs });

  /** Why datastores are outside of the named clusters, by MoRef value. Failures are not hidden: a share would go to another cluster. */
  const outside = async (
    { server, shared, fileServices }: SharedOn,
    signal: AbortSignal,
  ): Promise<readonly (readonly [DatastoreFacts, string])[]> => {
    const candidates = shared.filter(isVsan);
    if (clusters.length === 0 || !fileServices || candidates.length === 0) return [];
    const refs = candidates.map(({ ref }) => ref);
    const load = () => fileServices.clustersOf(refs, { signal });
    const found = await namedCache.get(server, refs.map(({ value }) => value).join(' '), load);
    return candidates.flatMap((datastore): readonly (readonly [DatastoreFacts, string])[] => {
      const own = found.get(datastore.ref.value) ?? [];
      const named = own.filter((one) => isNamedCluster(one, clusters));
      if (named.length === 0)
        return [[datastore, `is not in a cluster that csi.fileVolumes.clusters names, but in ${pathsOf(own)}`]];
      const isOff = named.every(({ enabled }) => enabled === false);
      return isOff ? [[datastore, `has no file service: it is disabled in ${pathsOf(named)}`]] : [];
    });
  };

  return {
    clear: () => {
      cache.clear();
      namedCache.clear();
    },
    unfit: async (
      places: readonly SharedOn[],
      signal: AbortSignal,
    ): Promise<(datastore: DatastoreFacts) => string | undefined> => {
      const off = new Set((await Promise.all(places.map((place) => switchedOff(place, signal)))).flat());
      const elsewhere = new Map((await Promise.all(places.map((place) => outside(place, signal)))).flat());
      return (datastore) => {
        if (!isVsan(datastore)) return 'is not a vSAN datastore, and file volumes need vSAN file services';
        if (off.has(datastore)) return 'has no file service: vSAN file services are disabled in its cluster';
        const listed = urls.length === 0 || urls.some((one) => plain(one) === plain(datastore.url));
        return listed ? elsewhere.get(datastore) : 'is not among the datastores that csi.fileVolumes allows';
      };
    },
  };
};
