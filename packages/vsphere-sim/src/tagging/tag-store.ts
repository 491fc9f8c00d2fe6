import type { Random } from '@vdo/base/random';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';

export interface TagCategory {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly cardinality: 'SINGLE' | 'MULTIPLE';
  /** Empty: any. */
  readonly associableTypes: readonly string[];
}

export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly categoryId: string;
}

/** Categories, tags, and their assignment to objects. */
export interface TagStore {
  categories(): readonly TagCategory[];
  category(id: string): TagCategory | undefined;
  /** Undefined if the name already exists. */
  addCategory(category: Omit<TagCategory, 'id'>): TagCategory | undefined;
  updateCategory(category: TagCategory): void;
  /** Its tags are deleted, too. */
  removeCategory(id: string): void;
  tags(): readonly Tag[];
  tag(id: string): Tag | undefined;
  /** Undefined if the category has such a tag already. */
  addTag(tag: Omit<Tag, 'id'>): Tag | undefined;
  updateTag(tag: Tag): void;
  removeTag(id: string): void;
  /** False if the category allows one tag per object and the object has another. */
  attach(tagId: string, object: MoRef): boolean;
  detach(tagId: string, object: MoRef): void;
  tagsOn(object: MoRef): readonly string[];
  objectsWith(tagId: string): readonly MoRef[];
}

export const createTagStore = (random: Random): TagStore => {
  const categories = new Map<string, TagCategory>();
  const tags = new Map<string, Tag>();
  const attached = new Map<string, Map<string, MoRef>>();
  const newId = (kind: string) => `urn:vmomi:InventoryService${kind}:${random.uuid()}:GLOBAL`;

  const tagsOn = (object: MoRef): readonly string[] =>
    [...attached].filter(([, objects]) => objects.has(morefKey(object))).map(([id]) => id);

  const removeTag = (id: string): void => {
    tags.delete(id);
    attached.delete(id);
  };

  return {
    categories: () => [...categories.values()],
    category: (id) => categories.get(id),
    addCategory: (spec) => {
      if ([...categories.values()].some(({ name }) => name === spec.name)) return undefined;
      const category = { ...spec, id: newId('Category') };
      categories.set(category.id, category);
      return category;
    },
    updateCategory: (category) => {
      categories.set(category.id, category);
    },
    removeCategory: (id) => {
      categories.delete(id);
      for (const tag of [...tags.values()]) if (tag.categoryId === id) removeTag(tag.id);
    },
    tags: () => [...tags.values()],
    tag: (id) => tags.get(id),
    addTag: (spec) => {
      const taken = [...tags.values()].some(
        ({ name, categoryId }) => name === spec.name && categoryId === spec.categoryId,
      );
      if (taken) return undefined;
      const tag = { ...spec, id: newId('Tag') };
      tags.set(tag.id, tag);
      attached.set(tag.id, new Map());
      return tag;
    },
    updateTag: (tag) => {
      tags.set(tag.id, tag);
    },
    removeTag,
    attach: (tagId, object) => {
      const categoryId = tags.get(tagId)?.categoryId ?? '';
      const others = tagsOn(object).filter((id) => id !== tagId && tags.get(id)?.categoryId === categoryId);
      if (categories.get(categoryId)?.cardinality === 'SINGLE' && others.length > 0) return false;
      attached.get(tagId)?.set(morefKey(object), object);
      return true;
    },
    detach: (tagId, object) => {
      attached.get(tagId)?.delete(morefKey(object));
    },
    tagsOn,
    objectsWith: (tagId) => [...(attached.get(tagId)?.values() ?? [])],
  };
};

/** Attaches the tags of a model to objects; categories and tags are created when they first appear. */
export const attachModelTags = (
  store: TagStore,
  wanted: readonly { readonly object: MoRef; readonly category: string; readonly tag: string }[],
): void => {
  for (const { object, category, tag } of wanted) {
    const categoryId = ensureCategory(store, category);
    const known = store.tags().find(({ name, categoryId: id }) => name === tag && id === categoryId);
    const made = known ?? store.addTag({ name: tag, description: '', categoryId });
    if (made) store.attach(made.id, object);
  }
};

/** The ID of a category by name; created if it does not exist. */
export const ensureCategory = (store: TagStore, name: string): string => {
  const known = store.categories().find((category) => category.name === name);
  const made = known ?? store.addCategory({ name, description: '', cardinality: 'SINGLE', associableTypes: [] });
  return made?.id ?? '';
};
