import type { AnyObject } from '@vdo/kube/types/object';
import { definitionOfCrd } from '../resources/crd-resource.ts';
import { crdBucket } from '../resources/registry.ts';
import { deleteObject } from './delete.ts';
import { type ApiDeps, withMetadata } from './target.ts';

const finalizer = 'customresourcecleanup.apiextensions.k8s.io';

const isTerminating = ({ metadata }: AnyObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);

const deleteInstances = (deps: ApiDeps, crd: AnyObject): void => {
  const definition = definitionOfCrd(crd);
  const [version] = definition.versions;
  if (!version) return;
  for (const { metadata } of deps.store.list(definition.bucket)) {
    if (metadata.deletionTimestamp !== undefined) continue;
    const place = metadata.namespace === undefined ? {} : { namespace: metadata.namespace };
    const target = { definition, version, subresource: '', name: metadata.name ?? '', ...place };
    deleteObject(deps, target, { dryRun: false });
  }
};

const finish = (deps: ApiDeps, crd: AnyObject): void => {
  deleteInstances(deps, crd);
  if (deps.store.list(definitionOfCrd(crd).bucket).length > 0) return;
  const rest = (crd.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  const key = `/${crd.metadata.name ?? ''}`;
  if (rest.length === 0) deps.store.remove(crdBucket, key);
  else deps.store.put(crdBucket, key, withMetadata(crd, { finalizers: rest }));
};

/** Removes a deleted CustomResourceDefinition after the last of its objects. A real API server does the same. */
export const cleanUpCrds = (deps: ApiDeps): void => {
  const sweep = () => {
    for (const crd of deps.store.list(crdBucket)) if (isTerminating(crd)) finish(deps, crd);
  };
  deps.store.onChange(({ bucket, type, object }) => {
    const isDeletedDefinition = bucket === crdBucket && isTerminating(object);
    const isInstanceGone = type === 'DELETED' && deps.store.list(crdBucket).some(isTerminating);
    // After the write that caused it: a listener must not write while others still wait for the same event.
    if (isDeletedDefinition || isInstanceGone) queueMicrotask(sweep);
  });
};
