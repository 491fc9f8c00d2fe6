import { type PersistentVolumeClaim, type Pod, persistentVolumeClaims, pods } from '@vdo/kube/types/core';
import { parseKey } from '@vdo/kube/types/resource';
import { getIn, isObject } from '../json.ts';
import type { LocalApi } from './local-api.ts';
import { controllerReference } from './pod-control.ts';
import { ownKeys, type SimController } from './run-controllers.ts';

const ephemeralClaims = (pod: Pod): readonly PersistentVolumeClaim[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    const template = getIn(volume, ['ephemeral', 'volumeClaimTemplate']);
    if (!isObject(template)) return [];
    const { metadata, spec } = template as unknown as Pick<PersistentVolumeClaim, 'metadata' | 'spec'>;
    const own = { name: `${pod.metadata.name}-${volume.name}`, namespace: pod.metadata.namespace ?? '' };
    return [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { ...metadata, ...own, ownerReferences: [controllerReference(pod)] },
        spec,
      },
    ];
  });

/** Creates the claims of generic ephemeral volumes; they are deleted with their pod. */
export const createEphemeralClaimController = (api: LocalApi): SimController => ({
  name: 'ephemeral-claims',
  keysOf: ownKeys('/pods'),
  reconcile: (key) => {
    const pod = api.get(pods, parseKey(key));
    if (!pod || pod.metadata.deletionTimestamp !== undefined) return undefined;
    for (const claim of ephemeralClaims(pod)) {
      const { name = '', namespace = '' } = claim.metadata;
      if (!api.get(persistentVolumeClaims, { name, namespace })) api.create(persistentVolumeClaims, claim);
    }
    return undefined;
  },
});
