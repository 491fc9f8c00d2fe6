import type { Clock } from '@vdo/base/clock';
import { withoutTrailing } from '@vdo/base/cut-text';
import type { FileServices } from '@vdo/vsphere/inventory/file-services';
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
  readonly clock: Clock;
  /** How long an answer of vCenter is cached. */
  readonly maxAgeMs: number;
}

const isVsan = ({ type }: DatastoreFacts): boolean => type === 'vsan';
const plain = (url: string): string => withoutTrailing(url, '/');

/** Explains why datastores cannot store file shares. Reads from vCenter whether the file service of a cluster is enabled. If vCenter does not report it, the datastore is tried. */
export const createFileDatastores = ({ urls, clock, maxAgeMs }: FileDatastoresOptions) => {
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

  return {
    clear: cache.clear,
    unfit: async (
      places: readonly SharedOn[],
      signal: AbortSignal,
    ): Promise<(datastore: DatastoreFacts) => string | undefined> => {
      const off = new Set((await Promise.all(places.map((place) => switchedOff(place, signal)))).flat());
      return (datastore) => {
        if (!isVsan(datastore)) return 'is not a vSAN datastore, and file volumes need vSAN file services';
        if (off.has(datastore)) return 'has no file service: vSAN file services are disabled in its cluster';
        const listed = urls.length === 0 || urls.some((one) => plain(one) === plain(datastore.url));
        return listed ? undefined : 'is not among the datastores that csi.fileVolumes allows';
      };
    },
  };
};
