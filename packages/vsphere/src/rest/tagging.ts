import type { Clock } from '@vdo/base/clock';
import { isVdoError } from '@vdo/base/vdo-error';
import type { CallOptions } from '../soap/soap-client.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import type { RestClient } from './rest-client.ts';

export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly categoryId: string;
}

/** Tags of vCenter, read in batches. */
export interface Tagging {
  /** The IDs of the tags attached to each object, by `morefKey`. Objects without tags are absent. */
  attached(refs: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Tags by ID; deleted ones are omitted. */
  tags(ids: readonly string[], options?: CallOptions): Promise<ReadonlyMap<string, Tag>>;
  /** The names of all categories. */
  categoryIds(options?: CallOptions): Promise<readonly string[]>;
  /** Names of categories by id. */
  categories(ids: readonly string[], options?: CallOptions): Promise<ReadonlyMap<string, string>>;
}

export const taggingRoot = '/rest/com/vmware/cis/tagging';
const batchSize = 1000;

/** IDs contain colons (`urn:vmomi:…`), which vCenter expects unescaped. */
export const inPath = (id: string): string => encodeURIComponent(id).replaceAll('%3A', ':');

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Names of tags and categories are cached for `maxAgeMs` (10 min by default): they change rarely, and each costs a call. */
export const createTagging = (rest: RestClient, clock: Clock, maxAgeMs = 10 * 60_000): Tagging => {
  const cache = new Map<string, { readonly value: Readonly<Record<string, unknown>>; readonly atMs: number }>();

  const details = async (kind: 'tag' | 'category', id: string, options: CallOptions) => {
    const path = `${taggingRoot}/${kind}/id:${inPath(id)}`;
    const known = cache.get(path);
    if (known && clock.monotonicMs() - known.atMs < maxAgeMs) return known.value;
    try {
      const value = record(await rest.request({ ...options, name: `${kind}/get`, method: 'GET', path }));
      cache.set(path, { value, atMs: clock.monotonicMs() });
      return value;
    } catch (error) {
      if (isVdoError(error, 'VCenterObjectNotFound')) return undefined;
      throw error;
    }
  };

  const named = async (kind: 'tag' | 'category', ids: readonly string[], options: CallOptions) => {
    const found = await Promise.all(
      [...new Set(ids)].map(async (id) => [id, await details(kind, id, options)] as const),
    );
    return found.flatMap(([id, value]) => (value ? [[id, value] as const] : []));
  };

  const attachedBatch = async (refs: readonly MoRef[], options: CallOptions) => {
    const reply = await rest.request({
      ...options,
      name: 'tag-association/list-attached-tags-on-objects',
      method: 'POST',
      path: `${taggingRoot}/tag-association?~action=list-attached-tags-on-objects`,
      body: { object_ids: refs.map(({ type, value }) => ({ type, id: value })) },
    });
    return list(reply).map((item) => {
      const { object_id, tag_ids } = record(item);
      const { type, id } = record(object_id);
      return [morefKey({ type: text(type), value: text(id) }), list(tag_ids).map(text)] as const;
    });
  };

  return {
    attached: async (refs, options = {}) => {
      const batches: MoRef[][] = [];
      for (let i = 0; i < refs.length; i += batchSize) batches.push(refs.slice(i, i + batchSize));
      const found: (readonly [string, readonly string[]])[] = [];
      for (const batch of batches) found.push(...(await attachedBatch(batch, options)));
      return new Map(found.filter(([, ids]) => ids.length > 0));
    },
    tags: async (ids, options = {}) =>
      new Map(
        (await named('tag', ids, options)).map(([id, value]) => [
          id,
          { id, name: text(value['name']), categoryId: text(value['category_id']) },
        ]),
      ),
    categoryIds: async (options = {}) =>
      list(
        await rest.request({ ...options, name: 'category/list', method: 'GET', path: `${taggingRoot}/category` }),
      ).map(text),
    categories: async (ids, options = {}) =>
      new Map((await named('category', ids, options)).map(([id, value]) => [id, text(value['name'])])),
  };
};
