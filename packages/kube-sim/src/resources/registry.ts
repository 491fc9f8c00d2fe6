import type { AnyObject } from '@vdo/kube/types/object';
import type { Store } from '../store/store.ts';
import type { ResourceType, ResourceVersion } from '../strategies/resource-type.ts';
import { builtinResources } from './builtin-resources.ts';
import { definitionOfCrd } from './crd-resource.ts';

export const crdBucket = 'apiextensions.k8s.io/customresourcedefinitions';

export interface ServedResource {
  readonly definition: ResourceType;
  readonly version: ResourceVersion;
}

/** Everything the server serves at this moment. */
export interface Registry {
  find(group: string, version: string, plural: string): ServedResource | undefined;
  /** By group and kind, in the preferred version; for owner references. */
  findKind(group: string, kind: string): ServedResource | undefined;
  all(): readonly ResourceType[];
}

/** Built-in kinds plus those of the CustomResourceDefinitions in the store. */
export const createRegistry = (store: Store): Registry => {
  const byCrd = new WeakMap<AnyObject, ResourceType>();
  const customResource = (crd: AnyObject): ResourceType => {
    const known = byCrd.get(crd);
    if (known) return known;
    const made = definitionOfCrd(crd);
    byCrd.set(crd, made);
    return made;
  };
  const all = () => [...builtinResources, ...store.list(crdBucket).map(customResource)];
  const served = (definition: ResourceType | undefined, version?: string): ServedResource | undefined => {
    const found = definition?.versions.find(({ name }) => version === undefined || name === version);
    return definition && found && { definition, version: found };
  };
  const builtins = new Map(builtinResources.map((definition) => [definition.bucket, definition]));

  return {
    find: (group, version, plural) => {
      const builtin = builtins.get(`${group}/${plural}`);
      if (builtin) return served(builtin, version);
      const crd = store.get(crdBucket, `/${plural}.${group}`);
      return crd && served(customResource(crd), version);
    },
    findKind: (group, kind) =>
      served(all().find((definition) => definition.group === group && definition.kind === kind)),
    all,
  };
};
