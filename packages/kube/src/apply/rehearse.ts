import { isVdoError } from '@vdo/base/vdo-error';
import type { CallOptions, KubeClient } from '../client.ts';
import type { AnyObject } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';
import { immutableFieldError } from './immutable-field.ts';
import { refOf } from './object-ref.ts';
import { inApplyOrder } from './phases.ts';

/** Objects that cannot be tried yet, because their CRD or their namespace is one of the objects. */
const comesLater = (error: unknown, { metadata }: AnyObject, namespaces: ReadonlySet<string>): boolean =>
  isVdoError(error, 'KubeResourceMissing') ||
  (isVdoError(error, 'KubeNotFound') && namespaces.has(metadata.namespace ?? ''));

/**
 * Applies every object by dry run: the API server checks permissions, admission and immutable fields, and nothing changes. Throws for the first
 * object that would be refused. If the namespace of an object does not exist yet, only permissions are checked, which come first.
 */
export const rehearse = async (
  client: KubeClient,
  objects: readonly AnyObject[],
  { fieldManager, ...call }: CallOptions & { readonly fieldManager: string },
): Promise<void> => {
  const namespaces = new Set(
    objects.flatMap(({ kind, metadata }) => (kind === 'Namespace' && metadata.name ? [metadata.name] : [])),
  );
  for (const object of inApplyOrder(objects, refOf)) {
    try {
      const resource = (await client.resourceFor(object.apiVersion, object.kind, call)) as Resource<AnyObject>;
      await client.apply(resource, object, { ...call, fieldManager, force: true, dryRun: true });
    } catch (error) {
      if (!comesLater(error, object, namespaces)) throw immutableFieldError(refOf(object), error);
    }
  }
};
