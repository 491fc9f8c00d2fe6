/*
 * Every REST request that is understood here, as govmomi v0.55.1 sends it to live vCenters (the functions are named). The SDKs that
 * VMware published for Python and PowerShell agree about the bodies. Our client has no part in this list.
 */

/** What a JSON value must be; `?` after a name: it may be absent. Nothing else may be there. */
export type Shape = 'string' | 'string[]' | 'id' | 'id[]' | readonly string[] | Fields;
export interface Fields {
  readonly [name: string]: Shape;
}

export interface RestRequestFacts {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `category`; `category/id` if the path names one. */
  readonly resource: string;
  readonly action?: string;
  /** Absent: no body, or none that says anything. */
  readonly body?: Fields;
  /** Where it is told. */
  readonly source: string;
}

const cardinality = ['SINGLE', 'MULTIPLE'];
const newCategory = {
  name: 'string',
  description: 'string',
  cardinality,
  associable_types: 'string[]',
  'category_id?': 'string',
} as const;
const changedCategory = {
  'name?': 'string',
  'description?': 'string',
  'cardinality?': cardinality,
  'associable_types?': 'string[]',
} as const;
const newTag = { name: 'string', description: 'string', category_id: 'string', 'tag_id?': 'string' } as const;
const changedTag = { 'name?': 'string', 'description?': 'string' } as const;

const categories = 'vapi/tags/categories.go';
const tags = 'vapi/tags/tags.go';
const associations = 'vapi/tags/tag_association.go';

const association = (action: string, body: Fields | undefined, source: string, of = ''): RestRequestFacts => ({
  method: 'POST',
  resource: `tag-association${of}`,
  action,
  ...(body ? { body } : {}),
  source: `${associations} ${source}`,
});

export const restRequests: readonly RestRequestFacts[] = [
  { method: 'POST', resource: 'session', source: 'vapi/rest/client.go Login' },
  { method: 'POST', resource: 'session', action: 'get', source: 'vapi/rest/client.go Session' },
  { method: 'GET', resource: 'session', source: 'vapi/rest/client.go Session, at /api' },
  { method: 'DELETE', resource: 'session', source: 'vapi/rest/client.go Logout' },
  { method: 'GET', resource: 'category', source: `${categories} ListCategories` },
  { method: 'POST', resource: 'category', body: { create_spec: newCategory }, source: `${categories} CreateCategory` },
  { method: 'GET', resource: 'category/id', source: `${categories} GetCategory` },
  {
    method: 'PATCH',
    resource: 'category/id',
    body: { update_spec: changedCategory },
    source: `${categories} UpdateCategory`,
  },
  { method: 'DELETE', resource: 'category/id', source: `${categories} DeleteCategory` },
  { method: 'GET', resource: 'tag', source: `${tags} ListTags` },
  { method: 'POST', resource: 'tag', body: { create_spec: newTag }, source: `${tags} CreateTag` },
  { method: 'GET', resource: 'tag/id', source: `${tags} GetTag` },
  { method: 'PATCH', resource: 'tag/id', body: { update_spec: changedTag }, source: `${tags} UpdateTag` },
  { method: 'DELETE', resource: 'tag/id', source: `${tags} DeleteTag` },
  {
    method: 'POST',
    resource: 'tag/id',
    action: 'list-tags-for-category',
    body: { category_id: 'string' },
    source: `${tags} ListTagsForCategory`,
  },
  association('attach', { object_id: 'id' }, 'AttachTag', '/id'),
  association('detach', { object_id: 'id' }, 'DetachTag', '/id'),
  association('list-attached-objects', undefined, 'ListAttachedObjects', '/id'),
  association('attach-tag-to-multiple-objects', { object_ids: 'id[]' }, 'AttachTagToMultipleObjects', '/id'),
  association('list-attached-tags', { object_id: 'id' }, 'ListAttachedTags'),
  association('list-attached-tags-on-objects', { object_ids: 'id[]' }, 'ListAttachedTagsOnObjects'),
  association('list-attached-objects-on-tags', { tag_ids: 'string[]' }, 'ListAttachedObjectsOnTags'),
  association('attach-multiple-tags-to-object', { object_id: 'id', tag_ids: 'string[]' }, 'AttachMultipleTagsToObject'),
];
