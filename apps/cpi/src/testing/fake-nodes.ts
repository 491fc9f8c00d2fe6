import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient, Patch } from '@vdo/kube/client';
import type { Node } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { ObjectKey, Resource } from '@vdo/kube/types/resource';

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const merge = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch;
  const base = isObject(target) ? target : {};
  return {
    ...base,
    ...Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, merge(base[key], value)])),
  };
};

/** Nodes of an API server: merge patches, deletion and resource versions. */
export interface FakeNodes {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'delete'>;
  get(name: string): Node | undefined;
  list(): readonly Node[];
  put(node: Node): Node;
  /** `patch node-1`, `patch node-1/status`, `get node-1`, `delete node-1`. */
  readonly calls: string[];
  /** Runs before each patch: another writer. */
  beforePatch: ((name: string) => void) | undefined;
}

const conflict = (name: string) =>
  new VdoError({ code: 'KubeConflict', message: `node ${name} was changed meanwhile`, remedy: 'Read it again.' });
const notFound = (name: string) =>
  new VdoError({ code: 'KubeNotFound', message: `node ${name} does not exist`, remedy: 'None.' });

export const createFakeNodes = (...initial: readonly Node[]): FakeNodes => {
  const nodes = new Map<string, Node>();
  let version = 0;
  const put = (node: Node): Node => {
    const stored = { ...node, metadata: { ...node.metadata, resourceVersion: String(++version) } };
    nodes.set(node.metadata.name ?? '', stored);
    return stored;
  };
  const existing = (name: string): Node => {
    const node = nodes.get(name);
    if (!node) throw notFound(name);
    return node;
  };
  const as = <T extends KubeObject>(node: Node): T => node as KubeObject as T;

  const fake: FakeNodes = {
    calls: [],
    beforePatch: undefined,
    get: (name) => nodes.get(name),
    list: () => [...nodes.values()],
    put,
    client: {
      get: async <T extends KubeObject>(_resource: Resource<T>, { name }: ObjectKey) => {
        fake.calls.push(`get ${name}`);
        return as<T>(existing(name));
      },
      patch: async <T extends KubeObject>(
        _resource: Resource<T>,
        { name }: ObjectKey,
        patch: Patch,
        options?: { readonly subresource?: string },
      ) => {
        fake.calls.push(`patch ${name}${options?.subresource ? `/${options.subresource}` : ''}`);
        fake.beforePatch?.(name);
        const node = existing(name);
        const { resourceVersion } = (patch.body as { metadata?: { resourceVersion?: string } }).metadata ?? {};
        if (resourceVersion !== undefined && resourceVersion !== node.metadata.resourceVersion) throw conflict(name);
        return as<T>(put(merge(node, patch.body) as Node));
      },
      delete: async (_resource, { name }, options) => {
        fake.calls.push(`delete ${name}`);
        const node = nodes.get(name);
        if (options?.uid !== undefined && node && node.metadata.uid !== options.uid) throw conflict(name);
        return nodes.delete(name);
      },
    },
  };
  for (const node of initial) put(node);
  return fake;
};
