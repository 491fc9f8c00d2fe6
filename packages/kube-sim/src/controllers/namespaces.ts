import { configMaps, namespaces, serviceAccounts } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { deleteObject } from '../api/delete.ts';
import { type ApiDeps, holdsContent } from '../api/target.ts';
import { objectOf } from '../json.ts';
import type { LocalApi } from './local-api.ts';
import type { SimController } from './run-controllers.ts';

/** Creates the default objects of new namespaces, and deletes the content of deleted ones. */
export const createNamespaceController = (deps: ApiDeps, api: LocalApi): SimController => {
  const fill = (namespace: string): void => {
    const metadata = (name: string) => ({ name, namespace });
    if (!api.get(serviceAccounts, metadata('default')))
      api.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata('default') });
    if (!api.get(configMaps, metadata('kube-root-ca.crt')))
      api.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: metadata('kube-root-ca.crt'),
        data: { 'ca.crt': '' },
      });
  };

  /** Deletes what is left; true when nothing is. */
  const empty = (namespace: string): boolean => {
    let isEmpty = true;
    for (const definition of deps.registry.all().filter(({ namespaced }) => namespaced)) {
      const [version] = definition.versions;
      if (!version) continue;
      for (const { metadata } of deps.store.list(definition.bucket)) {
        if (metadata.namespace !== namespace) continue;
        const target = { definition, version, namespace, name: metadata.name ?? '', subresource: '' };
        const isGone = metadata.deletionTimestamp === undefined && deleteObject(deps, target, { dryRun: false }).isGone;
        isEmpty = isEmpty && isGone;
      }
    }
    return isEmpty;
  };

  const finalize = (found: AnyObject): void => {
    if (!holdsContent(found)) return;
    const next: AnyObject = { ...found, spec: { ...objectOf(found['spec']), finalizers: [] } };
    const key = `/${found.metadata.name ?? ''}`;
    if ((found.metadata.finalizers ?? []).length > 0) deps.store.put('/namespaces', key, next);
    else deps.store.remove('/namespaces', key, next);
  };

  return {
    name: 'namespaces',
    keysOf: ({ bucket, object: { metadata } }) =>
      [(bucket === '/namespaces' ? metadata.name : metadata.namespace) ?? ''].filter(Boolean),
    reconcile: (name) => {
      const found = api.get(namespaces, { name });
      if (!found) return undefined;
      if (found.metadata.deletionTimestamp === undefined) fill(name);
      else if (empty(name)) finalize(found as AnyObject);
      return undefined;
    },
  };
};
