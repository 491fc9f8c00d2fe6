import { isVdoError } from '@vdo/base/vdo-error';
import type { ApiCaller } from './api-caller.ts';
import type { GetOptions, KubeClient, ListOptions } from './client.ts';
import type { KubeList, KubeObject } from './types/object.ts';
import { apiVersionOf, type ObjectKey, type Resource } from './types/resource.ts';

const defaultPageSize = 500;

/** The verbs that read. */
export const createReader = (caller: ApiCaller): Pick<KubeClient, 'get' | 'find' | 'list' | 'pages'> => {
  const get = async <T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options: GetOptions = {}) => {
    const { signal, beforeSend, subresource } = options;
    const target = { resource, namespace: key.namespace, name: key.name, subresource };
    return (await caller.json({ method: 'GET', verb: 'get', ...target, signal, beforeSend })) as T;
  };

  const page = async <T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions,
    token = '',
  ): Promise<KubeList<T>> => {
    const { namespace, signal, beforeSend, limit = defaultPageSize, resourceVersion, ...selection } = options;
    // A continue token names its resourceVersion; giving both is refused.
    const query = { ...selection, limit, ...(token ? { continue: token } : { resourceVersion }) };
    const target = { method: 'GET', verb: 'list', resource, namespace, query, signal, beforeSend } as const;
    const reply = (await caller.json(target)) as KubeList<T>;
    return { metadata: reply.metadata, items: withTypes(resource, reply.items ?? []) };
  };

  async function* pages<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}) {
    for (let token = ''; ; ) {
      const reply = await page(resource, options, token);
      yield reply;
      token = reply.metadata.continue ?? '';
      if (token === '') return;
    }
  }

  const list = async <T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<KubeList<T>> => {
    const items: T[] = [];
    let metadata: KubeList<T>['metadata'] = {};
    try {
      for await (const reply of pages(resource, options)) {
        for (const item of reply.items) items.push(item);
        metadata = reply.metadata;
      }
      return { metadata, items };
    } catch (error) {
      // The snapshot of the pages is compacted: read the list once more, in one piece.
      if (items.length === 0 || !isVdoError(error, 'KubeGone')) throw error;
      return page(resource, { ...options, limit: 0 });
    }
  };

  return {
    get,
    list,
    pages,
    find: async (resource, key, options) => {
      try {
        return await get(resource, key, options);
      } catch (error) {
        if (isVdoError(error, 'KubeNotFound')) return undefined;
        throw error;
      }
    },
  };
};

// In lists of built-in kinds, the items have no apiVersion and kind.
const withTypes = <T extends KubeObject>(resource: Resource<T>, items: readonly T[]): readonly T[] => {
  const apiVersion = apiVersionOf(resource);
  return items.map((item) => (item.kind ? item : { ...item, apiVersion, kind: resource.kind }));
};
