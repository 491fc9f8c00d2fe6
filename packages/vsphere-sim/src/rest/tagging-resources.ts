import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Tag, TagCategory, TagStore } from '../tagging/tag-store.ts';
import { fromRef, type RestCall, textOf, textsOf, toRef, toRefs } from './rest-call.ts';
import { RestError } from './rest-error.ts';

const found = <T>(value: T | undefined, what: string, id: string | undefined): T => {
  if (value === undefined) throw new RestError('not_found', `${what} ${id ?? ''} was not found`);
  return value;
};

const permitted = ({ core, session }: RestCall, privilege: string, object: MoRef = core.rootFolder): void => {
  const granted = core.permissions.allows(session, `InventoryService.Tagging.${privilege}`, object);
  core.recorder.privilege({
    user: session.user,
    privilege: `InventoryService.Tagging.${privilege}`,
    object: `${object.type}:${object.value}`,
    granted,
  });
  if (!granted) throw new RestError('unauthorized', 'The user is not authorized for this operation.');
};

const showCategory = ({ id, name, description, cardinality, associableTypes }: TagCategory) => ({
  id,
  name,
  description,
  cardinality,
  associable_types: associableTypes,
  used_by: [],
});

const showTag = ({ id, name, description, categoryId }: Tag) => ({
  id,
  name,
  description,
  category_id: categoryId,
  used_by: [],
});

const specOf = (call: RestCall, wrapper: string): Readonly<Record<string, unknown>> =>
  call.body[wrapper] as Readonly<Record<string, unknown>>;

const categoryResource = (store: TagStore, call: RestCall): unknown => {
  if (call.id === undefined) {
    if (call.method === 'GET') return store.categories().map(({ id }) => id);
    permitted(call, 'CreateCategory');
    const spec = specOf(call, 'create_spec');
    const cardinality = textOf(spec, 'cardinality') === 'MULTIPLE' ? 'MULTIPLE' : 'SINGLE';
    const made = store.addCategory({
      name: textOf(spec, 'name'),
      description: textOf(spec, 'description'),
      cardinality,
      associableTypes: textsOf(spec, 'associable_types'),
    });
    if (!made) throw new RestError('already_exists', `category ${textOf(spec, 'name')} exists`);
    return made.id;
  }
  const category = found(store.category(call.id), 'category', call.id);
  if (call.method === 'GET') return showCategory(category);
  if (call.method === 'DELETE') {
    permitted(call, 'DeleteCategory');
    store.removeCategory(category.id);
    return undefined;
  }
  permitted(call, 'EditCategory');
  const spec = specOf(call, 'update_spec');
  store.updateCategory({
    ...category,
    name: textOf(spec, 'name') || category.name,
    description: textOf(spec, 'description') || category.description,
  });
  return undefined;
};

const tagResource = (store: TagStore, call: RestCall): unknown => {
  if (call.action === 'list-tags-for-category') {
    const categoryId = found(store.category(call.id ?? ''), 'category', call.id).id;
    return store.tags().flatMap((tag) => (tag.categoryId === categoryId ? [tag.id] : []));
  }
  if (call.id === undefined) {
    if (call.method === 'GET') return store.tags().map(({ id }) => id);
    permitted(call, 'CreateTag');
    const spec = specOf(call, 'create_spec');
    const categoryId = found(store.category(textOf(spec, 'category_id')), 'category', textOf(spec, 'category_id')).id;
    const made = store.addTag({ name: textOf(spec, 'name'), description: textOf(spec, 'description'), categoryId });
    if (!made) throw new RestError('already_exists', `tag ${textOf(spec, 'name')} exists`);
    return made.id;
  }
  const tag = found(store.tag(call.id), 'tag', call.id);
  if (call.method === 'GET') return showTag(tag);
  if (call.method === 'DELETE') {
    permitted(call, 'DeleteTag');
    store.removeTag(tag.id);
    return undefined;
  }
  permitted(call, 'EditTag');
  const spec = specOf(call, 'update_spec');
  store.updateTag({
    ...tag,
    name: textOf(spec, 'name') || tag.name,
    description: textOf(spec, 'description') || tag.description,
  });
  return undefined;
};

const canRead = ({ core, session }: RestCall, object: MoRef): boolean =>
  core.permissions.allows(session, 'System.Read', object);

const attach = (store: TagStore, call: RestCall, tagId: string, object: MoRef): void => {
  permitted(call, 'AttachTag', object);
  const tag = found(store.tag(tagId), 'tag', tagId);
  if (!store.attach(tag.id, object))
    throw new RestError('invalid_argument', 'the category allows one tag on an object, and it has one');
};

/** Actions on one tag: `…/tag-association/id:<tag>?~action=attach`. */
const tagActions: Readonly<Record<string, (store: TagStore, call: RestCall, tagId: string) => unknown>> = {
  attach: (store, call, tagId) => attach(store, call, tagId, toRef(call.body['object_id'])),
  detach: (store, call, tagId) => {
    permitted(call, 'AttachTag', toRef(call.body['object_id']));
    store.detach(tagId, toRef(call.body['object_id']));
  },
  'list-attached-objects': (store, call, tagId) =>
    store
      .objectsWith(found(store.tag(tagId), 'tag', tagId).id)
      .filter((object) => canRead(call, object))
      .map(fromRef),
  'attach-tag-to-multiple-objects': (store, call, tagId) => {
    for (const object of toRefs(call.body['object_ids'])) attach(store, call, tagId, object);
  },
};

/** Actions on several objects: `…/tag-association?~action=list-attached-tags-on-objects`. */
const batchActions: Readonly<Record<string, (store: TagStore, call: RestCall) => unknown>> = {
  'list-attached-tags': (store, call) => {
    const object = toRef(call.body['object_id']);
    return canRead(call, object) ? store.tagsOn(object) : [];
  },
  'list-attached-tags-on-objects': (store, call) =>
    toRefs(call.body['object_ids'])
      .filter((object) => canRead(call, object))
      .map((object) => ({ object_id: fromRef(object), tag_ids: store.tagsOn(object) }))
      .filter(({ tag_ids }) => tag_ids.length > 0),
  'list-attached-objects-on-tags': (store, call) =>
    textsOf(call.body, 'tag_ids').map((tagId) => ({
      tag_id: tagId,
      object_ids: store
        .objectsWith(tagId)
        .filter((object) => canRead(call, object))
        .map(fromRef),
    })),
  'attach-multiple-tags-to-object': (store, call) => {
    for (const tagId of textsOf(call.body, 'tag_ids')) attach(store, call, tagId, toRef(call.body['object_id']));
    return { success: true, error_messages: [] };
  },
};

const associationResource = (store: TagStore, call: RestCall): unknown => {
  const action = call.action ?? '';
  if (call.id !== undefined && tagActions[action]) return tagActions[action](store, call, call.id);
  const batch = found(batchActions[action], 'action', action);
  return batch(store, call);
};

/** `cis/tagging`: categories, tags and their associations. */
export const taggingResources: Readonly<Record<string, (store: TagStore, call: RestCall) => unknown>> = {
  category: categoryResource,
  tag: tagResource,
  'tag-association': associationResource,
};
