import { isVdoError } from '@vdo/base/vdo-error';
import { type ObjectRef, refOf } from '@vdo/kube/apply/object-ref';
import { isAppliedBy } from '@vdo/kube/apply/remove-objects';
import type { CallOptions, KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import { apiVersionOf, type Resource } from '@vdo/kube/types/resource';
import { type OwnedPlace, ownedPlaces } from '@vdo/releases/render/operator/owned-places';
import { managedLabels } from '@vdo/releases/render/shared/labels';

const managedBy = 'app.kubernetes.io/managed-by';

const resourceOf = ({ group, plural, kind, namespace }: OwnedPlace): Resource => ({
  group,
  version: 'v1',
  plural,
  kind,
  namespaced: namespace !== undefined,
});

/**
 * Finds what this operator has applied without its inventory: the objects with the names that its roles allow, with its
 * label and applied by its field manager. Takes about 60 reads.
 */
export const createFindOurs =
  (options: { readonly client: KubeClient; readonly namespace: string; readonly fieldManager: string }) =>
  async (call: CallOptions): Promise<readonly ObjectRef[]> => {
    const { client, namespace, fieldManager } = options;
    const objectsAt = async (place: OwnedPlace): Promise<readonly KubeObject[]> => {
      const resource = resourceOf(place);
      const where = place.namespace === undefined ? {} : { namespace: place.namespace };
      if (place.names === undefined) {
        const labelSelector = `${managedBy}=${managedLabels[managedBy]}`;
        return (await client.list(resource, { ...call, ...where, labelSelector })).items;
      }
      const found: KubeObject[] = [];
      for (const name of place.names) {
        const object = await client.find(resource, { ...where, name }, call);
        if (object) found.push(object);
      }
      return found;
    };
    const refs: ObjectRef[] = [];
    for (const place of ownedPlaces(namespace)) {
      const resource = resourceOf(place);
      const objects = await objectsAt(place).catch((error: unknown) => {
        // The snapshot API is optional.
        if (isVdoError(error, 'KubeResourceMissing', 'KubeNotFound')) return [];
        throw error;
      });
      for (const object of objects)
        if (object.metadata.labels?.[managedBy] === managedLabels[managedBy] && isAppliedBy(object, fieldManager))
          refs.push(refOf({ ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }));
    }
    return refs;
  };
