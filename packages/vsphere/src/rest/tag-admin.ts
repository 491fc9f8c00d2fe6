import { isVdoError } from '@vdo/base/vdo-error';
import type { CallOptions } from '../soap/soap-client.ts';
import type { MoRef } from '../wire/moref.ts';
import type { RestClient } from './rest-client.ts';
import { inPath, type Tag, type Tagging, taggingRoot } from './tagging.ts';

export interface TagCategory {
  readonly id: string;
  readonly name: string;
}

/** Creates categories and tags, and attaches tags to objects. Needs InventoryService.Tagging privileges. */
export interface TagAdmin {
  categories(options?: CallOptions): Promise<readonly TagCategory[]>;
  /** The present category, not from a cache; undefined if there is none. */
  category(id: string, options?: CallOptions): Promise<(TagCategory & { readonly description: string }) | undefined>;
  /** All tags of a category. */
  tagsIn(categoryId: string, options?: CallOptions): Promise<readonly Tag[]>;
  /** Creates a category with at most one tag per object. Returns its ID. */
  createCategory(
    category: { readonly name: string; readonly description: string; readonly types: readonly string[] },
    options?: CallOptions,
  ): Promise<string>;
  createTag(tag: { readonly name: string; readonly categoryId: string }, options?: CallOptions): Promise<string>;
  attach(tagId: string, object: MoRef, options?: CallOptions): Promise<void>;
  detach(tagId: string, object: MoRef, options?: CallOptions): Promise<void>;
}

export const createTagAdmin = (rest: RestClient, tagging: Tagging): TagAdmin => {
  const post = (name: string, path: string, body: unknown, options: CallOptions) =>
    rest.request({ ...options, name, method: 'POST', path: `${taggingRoot}/${path}`, body });
  const associate = async (
    action: 'attach' | 'detach',
    tagId: string,
    { type, value }: MoRef,
    options: CallOptions,
  ) => {
    const path = `tag-association/id:${inPath(tagId)}?~action=${action}`;
    await post(`tag-association/${action}`, path, { object_id: { type, id: value } }, options);
  };
  return {
    categories: async (options = {}) => {
      const named = await tagging.categories(await tagging.categoryIds(options), options);
      return [...named].map(([id, name]) => ({ id, name }));
    },
    category: async (id, options = {}) => {
      const path = `${taggingRoot}/category/id:${inPath(id)}`;
      try {
        const found = await rest.request({ ...options, name: 'category/get', method: 'GET', path });
        const { name = '', description = '' } = (found ?? {}) as {
          readonly name?: string;
          readonly description?: string;
        };
        return { id, name, description };
      } catch (error) {
        if (isVdoError(error, 'VCenterObjectNotFound')) return undefined;
        throw error;
      }
    },
    tagsIn: async (categoryId, options = {}) => {
      const path = `tag/id:${inPath(categoryId)}?~action=list-tags-for-category`;
      const ids = await post('tag/list-tags-for-category', path, { category_id: categoryId }, options);
      return [...(await tagging.tags(Array.isArray(ids) ? ids.map(String) : [], options)).values()];
    },
    createCategory: async ({ name, description, types }, options = {}) => {
      const spec = { name, description, cardinality: 'SINGLE', associable_types: types };
      return String(await post('category/create', 'category', { create_spec: spec }, options));
    },
    createTag: async ({ name, categoryId }, options = {}) => {
      const spec = { name, description: '', category_id: categoryId };
      return String(await post('tag/create', 'tag', { create_spec: spec }, options));
    },
    attach: (tagId, object, options = {}) => associate('attach', tagId, object, options),
    detach: (tagId, object, options = {}) => associate('detach', tagId, object, options),
  };
};
