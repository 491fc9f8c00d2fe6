import type { Registry } from '../resources/registry.ts';
import { type ResourceType, type ResourceVersion, storedVerbs } from '../strategies/resource-type.ts';

interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly { readonly definition: ResourceType; readonly version: ResourceVersion }[];
}

const groupVersionName = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);

const groupVersions = (registry: Registry): readonly GroupVersion[] => {
  const found = new Map<string, GroupVersion>();
  for (const definition of registry.all())
    for (const version of definition.versions) {
      const name = groupVersionName(definition.group, version.name);
      const known = found.get(name) ?? { group: definition.group, version: version.name, resources: [] };
      found.set(name, { ...known, resources: [...known.resources, { definition, version }] });
    }
  return [...found.values()];
};

const verbsOf = (definition: ResourceType): readonly string[] => (definition.isReview ? ['create'] : storedVerbs);

interface Subresource {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

const readWrite = ['get', 'patch', 'update'];
const special: Readonly<Record<string, Omit<Subresource, 'name'>>> = {
  binding: { group: '', version: 'v1', kind: 'Binding', verbs: ['create'] },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
  log: { group: '', version: 'v1', kind: 'Pod', verbs: ['get'] },
  finalize: { group: '', version: 'v1', kind: 'Namespace', verbs: ['update'] },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] },
};

const subresourcesOf = (
  { group, kind, subresources }: ResourceType,
  version: ResourceVersion,
): readonly Subresource[] => [
  ...(version.hasStatus ? [{ name: 'status', group, version: version.name, kind, verbs: readWrite }] : []),
  ...(version.scale ? [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: readWrite }] : []),
  ...subresources.flatMap((name) => (special[name] ? [{ name, ...special[name] }] : [])),
];

const resourceList = ({ group, version, resources }: GroupVersion): object => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: groupVersionName(group, version),
  resources: resources.flatMap(({ definition, version: served }) => [
    {
      name: definition.plural,
      singularName: definition.singular,
      namespaced: definition.namespaced,
      kind: definition.kind,
      verbs: verbsOf(definition),
      ...(definition.shortNames.length > 0 ? { shortNames: definition.shortNames } : {}),
      ...(definition.categories.length > 0 ? { categories: definition.categories } : {}),
    },
    ...subresourcesOf(definition, served).map((sub) => ({
      name: `${definition.plural}/${sub.name}`,
      singularName: '',
      namespaced: definition.namespaced,
      ...(sub.group === definition.group ? {} : { group: sub.group, version: sub.version }),
      kind: sub.kind,
      verbs: sub.verbs,
    })),
  ]),
});

const apiGroup = (group: string, versions: readonly GroupVersion[]): object => {
  const named = versions.map(({ version }) => ({ groupVersion: groupVersionName(group, version), version }));
  return { name: group, versions: named, preferredVersion: named[0] };
};

const byGroup = (versions: readonly GroupVersion[]): ReadonlyMap<string, readonly GroupVersion[]> => {
  const groups = new Map<string, readonly GroupVersion[]>();
  for (const version of versions) groups.set(version.group, [...(groups.get(version.group) ?? []), version]);
  return groups;
};

const aggregatedResource = (definition: ResourceType, version: ResourceVersion): object => {
  const scope = definition.namespaced ? 'Namespaced' : 'Cluster';
  const { group, kind } = definition;
  const subresources = subresourcesOf(definition, version).map((sub) => ({
    subresource: sub.name,
    responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
    verbs: sub.verbs,
  }));
  return {
    resource: definition.plural,
    responseKind: { group, version: version.name, kind },
    scope,
    singularResource: definition.singular,
    verbs: verbsOf(definition),
    ...(definition.shortNames.length > 0 ? { shortNames: definition.shortNames } : {}),
    ...(definition.categories.length > 0 ? { categories: definition.categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
};

const aggregated = (groups: ReadonlyMap<string, readonly GroupVersion[]>): object => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: [...groups].map(([group, versions]) => ({
    metadata: { creationTimestamp: null, ...(group === '' ? {} : { name: group }) },
    versions: versions.map(({ version, resources }) => ({
      version,
      freshness: 'Current',
      resources: resources.map((resource) => aggregatedResource(resource.definition, resource.version)),
    })),
  })),
});

/** Answers `/api`, `/apis` and what lies below them down to group and version; undefined for anything else. */
export const discover = (registry: Registry, path: string, isAggregated: boolean): object | undefined => {
  const segments = path.split('/').filter(Boolean);
  const versions = groupVersions(registry);
  const [root, first, second, ...rest] = segments;
  if (rest.length > 0) return undefined;
  if (root === 'api') {
    if (first === undefined && isAggregated) return aggregated(byGroup(versions.filter(({ group }) => group === '')));
    if (first === undefined) return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
    const found = versions.find(({ group, version }) => group === '' && version === first);
    return found && second === undefined ? resourceList(found) : undefined;
  }
  if (root !== 'apis') return undefined;
  const groups = byGroup(versions.filter(({ group }) => group !== ''));
  if (first === undefined && isAggregated) return aggregated(groups);
  if (first === undefined)
    return {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: [...groups].map(([group, list]) => apiGroup(group, list)),
    };
  const list = groups.get(first);
  if (second === undefined) return list && { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(first, list) };
  const found = list?.find(({ version }) => version === second);
  return found && resourceList(found);
};
