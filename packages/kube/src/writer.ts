import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { ApiCaller } from './api-caller.ts';
import type { DeleteOptions, KubeClient, Patch, WriteOptions } from './client.ts';
import type { KubeObject } from './types/object.ts';
import { apiVersionOf, type Resource } from './types/resource.ts';

const patchContentTypes: Readonly<Record<Patch['type'], string>> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

type Writer = Pick<KubeClient, 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deleteCollection'>;

/** The verbs that write. `fieldManager` is the default owner of the fields that they set. */
export const createWriter = (caller: ApiCaller, fieldManager: string | undefined): Writer => {
  const queryOf = (options: WriteOptions) => ({
    ...dryRunQuery(options),
    fieldManager: options.fieldManager ?? fieldManager,
  });

  const create: Writer['create'] = async <T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
  ) => {
    const { signal, beforeSend, subresource } = options;
    // A new object's name travels in its body; only a subresource (eviction, token) is created below a name.
    const target = subresource
      ? { ...targetOf(resource, object), subresource }
      : { resource, namespace: object.metadata.namespace };
    const call = {
      method: 'POST',
      verb: 'create',
      query: queryOf(options),
      body: typed(resource, object),
      signal,
      beforeSend,
    } as const;
    return (await caller.json({ ...call, ...target })) as T;
  };

  const update: Writer['update'] = async <T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
  ) => {
    const { signal, beforeSend, subresource } = options;
    const call = {
      method: 'PUT',
      verb: 'update',
      query: queryOf(options),
      body: typed(resource, object),
      signal,
      beforeSend,
    } as const;
    return (await caller.json({ ...call, ...targetOf(resource, object), subresource })) as T;
  };

  const patch: Writer['patch'] = async <T extends KubeObject>(
    resource: Resource<T>,
    key: { readonly name: string; readonly namespace?: string },
    { type, body }: Patch,
    options: WriteOptions = {},
  ) => {
    const { signal, beforeSend, subresource } = options;
    const call = { method: 'PATCH', verb: 'patch', query: queryOf(options), body, signal, beforeSend } as const;
    const target = { resource, namespace: key.namespace, name: key.name, subresource };
    return (await caller.json({ ...call, ...target, contentType: patchContentTypes[type] })) as T;
  };

  const apply: Writer['apply'] = async <T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: Parameters<Writer['apply']>[2],
  ) => {
    const { signal, beforeSend, subresource, force } = options;
    const { managedFields: _, ...metadata } = object.metadata;
    const body = { ...typed(resource, object), metadata };
    const query = { ...dryRunQuery(options), fieldManager: options.fieldManager, ...(force && { force }) };
    // JSON is YAML: the server takes it as it is.
    const call = { method: 'PATCH', verb: 'patch', contentType: 'application/apply-patch+yaml' } as const;
    const rest = { subresource, query, body, signal, beforeSend };
    return (await caller.json({ ...call, ...targetOf(resource, object), ...rest })) as T;
  };

  const remove: Writer['delete'] = async (resource, key, options = {}) => {
    const target = { resource, namespace: key.namespace, name: key.name };
    const body = deleteBody(options);
    const { signal, beforeSend } = options;
    try {
      await caller.json({ method: 'DELETE', verb: 'delete', ...target, body, signal, beforeSend });
      return true;
    } catch (error) {
      if (isVdoError(error, 'KubeNotFound')) return false;
      throw error;
    }
  };

  return {
    create,
    update,
    patch,
    apply,
    delete: remove,
    deleteCollection: async (resource, options = {}) => {
      const { namespace, signal, beforeSend: _, ...query } = options;
      await caller.json({ method: 'DELETE', verb: 'deletecollection', resource, namespace, query, signal });
    },
  };
};

const dryRunQuery = ({ dryRun }: { readonly dryRun?: boolean }) => (dryRun ? { dryRun: 'All' } : {});

const typed = <T extends KubeObject>(resource: Resource<T>, object: T): T => ({
  ...object,
  apiVersion: object.apiVersion || apiVersionOf(resource),
  kind: object.kind || resource.kind,
});

const targetOf = <T extends KubeObject>(resource: Resource<T>, object: T) => {
  const { name, namespace } = object.metadata;
  if (!name)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `a ${resource.kind} without metadata.name cannot be written`,
      remedy: 'Set metadata.name of the object.',
    });
  return { resource, namespace, name };
};

const deleteBody = ({ propagation, gracePeriodSeconds, uid, resourceVersion, dryRun }: DeleteOptions) => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  ...(propagation && { propagationPolicy: propagation }),
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  ...((uid || resourceVersion) && {
    preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
  }),
  ...(dryRun && { dryRun: ['All'] }),
});
