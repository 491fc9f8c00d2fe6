import { isVdoError } from '@vdo/base/vdo-error';
import { describeRef, refOf } from '@vdo/kube/apply/object-ref';
import type { KubeClient } from '@vdo/kube/client';
import type { AnyObject, ObjectMeta } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { canonical } from './canonical.ts';

/** Fields written by controllers or the API server, not by the creator of the object. */
const ofControllers = new Set(['deployment.kubernetes.io/revision', 'deprecated.daemonset.template.generation']);

const wantedMeta = ({ name, namespace, labels, annotations = {}, ownerReferences }: ObjectMeta): ObjectMeta => ({
  ...(name === undefined ? {} : { name }),
  ...(namespace === undefined ? {} : { namespace }),
  ...(labels ? { labels } : {}),
  annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => !ofControllers.has(key))),
  ...(ownerReferences ? { ownerReferences } : {}),
});

/** The desired state of an object: without identity and status. */
const wanted = ({ status: _, metadata, ...rest }: AnyObject): AnyObject =>
  ({ ...rest, metadata: wantedMeta(metadata) }) as AnyObject;

/** Whether an object is as it was before. Pure. */
export const isAsBefore = (before: AnyObject, now: AnyObject | undefined): boolean =>
  now !== undefined && canonical(wanted(before)) === canonical(wanted(now));

/** Restores an object, in place if it still exists: pods are replaced one by one, as in any rollout. */
export const restoreObject = async (kube: KubeClient, before: AnyObject, signal: AbortSignal): Promise<void> => {
  const { apiVersion, kind, metadata } = before;
  const resource = (await kube.resourceFor(apiVersion, kind, { signal })) as Resource<AnyObject>;
  const key = { name: metadata.name ?? '', ...(metadata.namespace ? { namespace: metadata.namespace } : {}) };
  for (let attempt = 1; ; attempt += 1) {
    const live = await kube.find(resource, key, { signal });
    if (isAsBefore(before, live && { ...live, apiVersion, kind })) return;
    try {
      if (live) {
        const { resourceVersion = '' } = live.metadata;
        // With the managed fields, so that the previous tool continues as before.
        const owners = metadata.managedFields ? { managedFields: metadata.managedFields } : {};
        const object = { ...wanted(before), metadata: { ...wantedMeta(metadata), ...owners, resourceVersion } };
        await kube.update(resource, object as AnyObject, { fieldManager: 'vdoctl', signal });
      } else await kube.create(resource, wanted(before), { fieldManager: 'vdoctl', signal });
      return;
    } catch (error) {
      // Controllers update the status of a workload all the time.
      if (attempt >= 5 || !isVdoError(error, 'KubeConflict', 'KubeAlreadyExists')) throw error;
    }
  }
};

export const nameOf = (object: AnyObject): string => describeRef(refOf(object));
