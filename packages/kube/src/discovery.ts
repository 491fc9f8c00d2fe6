import { isVdoError } from '@vdo/base/vdo-error';
import type { ApiCaller } from './api-caller.ts';
import { resourceMissingError } from './api-error.ts';
import type { CallOptions } from './client.ts';
import { groupVersionPath } from './request-path.ts';
import type { Resource } from './types/resource.ts';

/** metav1.APIResource, with the fields that are used. */
interface ListedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs?: readonly string[];
}

/** metav1.APIGroupList and metav1.APIVersions, with the fields that are used. */
interface ListedGroups {
  readonly groups?: readonly { readonly preferredVersion?: { readonly groupVersion?: string } }[];
}

export interface Discovery {
  serverVersion(options?: CallOptions): Promise<string>;
  resourceFor(apiVersion: string, kind: string, options?: CallOptions): Promise<Resource>;
  namespacedResources(options?: CallOptions): Promise<readonly Resource[]>;
}

/** Reads what the server serves. Kinds that were found are cached; missing kinds are looked up again each time. */
export const createDiscovery = (caller: ApiCaller): Discovery => {
  const known = new Map<string, Resource>();

  const get = (path: string, { signal }: CallOptions): Promise<unknown> =>
    caller.json({ method: 'GET', verb: 'get', resource: pseudoResource(path), path, signal });

  const served = async (apiVersion: string, options: CallOptions) => {
    const { group, version } = splitApiVersion(apiVersion);
    const reply = (await get(groupVersionPath(group, version), options)) as { resources?: readonly ListedResource[] };
    return (
      (reply.resources ?? [])
        // `pods/status` and the like are parts of a resource.
        .filter(({ name }) => !name.includes('/'))
        .map(({ name, kind, namespaced, verbs = [] }) => ({
          resource: { group, version, plural: name, kind, namespaced },
          verbs,
        }))
    );
  };
  const learn = async (apiVersion: string, options: CallOptions): Promise<void> => {
    for (const { resource } of await served(apiVersion, options)) known.set(`${apiVersion} ${resource.kind}`, resource);
  };

  return {
    serverVersion: async (options = {}) => {
      const reply = (await get('/version', options)) as { readonly gitVersion?: string };
      return reply.gitVersion ?? '';
    },
    resourceFor: async (apiVersion, kind, options = {}) => {
      const id = `${apiVersion} ${kind}`;
      const found = known.get(id);
      if (found) return found;
      try {
        await learn(apiVersion, options);
      } catch (error) {
        if (!isVdoError(error, 'KubeResourceMissing', 'KubeNotFound')) throw error;
      }
      const learned = known.get(id);
      if (!learned) throw resourceMissingError(apiVersion, kind);
      return learned;
    },
    namespacedResources: async (options = {}) => {
      const { groups = [] } = (await get('/apis', options)) as ListedGroups;
      const preferred = ['v1', ...groups.flatMap(({ preferredVersion }) => preferredVersion?.groupVersion ?? [])];
      const found: Resource[] = [];
      for (const apiVersion of preferred)
        for (const { resource, verbs } of await served(apiVersion, options).catch(ifGone))
          if (resource.namespaced && verbs.includes('list')) found.push(resource);
      return found;
    },
  };
};

/** A CRD may be deleted during the request. */
const ifGone = (error: unknown): readonly never[] => {
  if (isVdoError(error, 'KubeResourceMissing', 'KubeNotFound')) return [];
  throw error;
};

const splitApiVersion = (apiVersion: string): { readonly group: string; readonly version: string } => {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
};

// Used in messages and metrics for a path that is not a resource.
const pseudoResource = (path: string): Resource => ({
  group: '',
  version: '',
  plural: path,
  kind: path,
  namespaced: false,
});
