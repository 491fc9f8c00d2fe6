import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { preferredDatastoresCategory } from '@vdo/config/names';
import type { HealthReader, TagOnObject } from '@vdo/vsphere/health/health-reader';
import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { createVersionedCache } from './versioned-cache.ts';

interface TaggedVCenter {
  readonly server: string;
  readonly health?: Pick<HealthReader, 'tags'>;
}

interface Candidates {
  /** Those that can hold the volume. */
  readonly datastores: readonly DatastoreFacts[];
  /** All that the nodes share: their tags are read together, so that one answer serves every volume of the segment. */
  readonly shared: readonly DatastoreFacts[];
  /** Names of the topology segments in which the volume is placed. */
  readonly segments: ReadonlySet<string>;
}

export interface PreferredDatastoresOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long tags are cached; 5 minutes by default. */
  readonly maxAgeMs?: number | undefined;
}

/** While tags cannot be read, they are not asked for again for this long: each request would delay a volume. */
const pauseMs = 30_000;

type Tags = ReadonlyMap<string, readonly TagOnObject[]>;

/** True if a tag prefers the datastore in one of the segments. */
const isPreferred = (tags: readonly TagOnObject[], segments: ReadonlySet<string>): boolean =>
  tags.some(({ category, tag }) => category === preferredDatastoresCategory && segments.has(tag));

/** The preferred ones if there are any, otherwise all. */
export const preferring = (
  datastores: readonly DatastoreFacts[],
  preferred: ReadonlySet<string> = new Set(),
): readonly DatastoreFacts[] => {
  const found = datastores.filter(({ ref }) => preferred.has(ref.value));
  return found.length > 0 ? found : datastores;
};

/**
 * Datastores that administrators prefer in a topology segment: the tag has the name of the segment. A preference is no requirement: while
 * vCenter does not report tags, the last known ones count, and without any the volume goes where it fits.
 */
export const createPreferredDatastores = ({ clock, logger, maxAgeMs = 5 * 60_000 }: PreferredDatastoresOptions) => {
  const cache = createVersionedCache<Tags>({ clock, maxAgeMs });
  const last = new Map<string, Tags>();
  const failedAtMs = new Map<string, number>();

  const tagsOf = async ({ server, health }: TaggedVCenter, shared: readonly DatastoreFacts[], signal: AbortSignal) => {
    const refs = shared.map(({ ref }) => ref);
    const id = `${server} ${refs.map(morefKey).sort().join(' ')}`;
    const known = last.get(id) ?? new Map<string, readonly TagOnObject[]>();
    if (clock.monotonicMs() - (failedAtMs.get(id) ?? -pauseMs) < pauseMs) return known;
    try {
      const tags = await cache.get(id, '', async () => (await health?.tags(refs, { signal })) ?? new Map());
      last.set(id, tags);
      failedAtMs.delete(id);
      return tags;
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('cannot read which datastores are preferred', { vcenter: server, error, known: last.has(id) });
      failedAtMs.set(id, clock.monotonicMs());
      return known;
    }
  };

  return {
    /** By MoRef value. */
    among: async (
      vcenter: TaggedVCenter,
      { datastores, shared, segments }: Candidates,
      { signal }: { readonly signal: AbortSignal },
    ): Promise<ReadonlySet<string>> => {
      // With one candidate nothing can be preferred.
      if (datastores.length < 2) return new Set();
      const tags = await tagsOf(vcenter, shared, signal);
      const found = datastores.filter(({ ref }) => isPreferred(tags.get(morefKey(ref)) ?? [], segments));
      return new Set(found.map(({ ref }) => ref.value));
    },
  };
};
