import { createInformer } from '@vdo/kube/create-informer';
import type { Informer } from '@vdo/kube/informer';
import { type Pod, pods } from '@vdo/kube/types/core';
import type { ClusterInformersDeps } from '../create-cluster-informers.ts';

const claimNameOf = (volume: Readonly<Record<string, unknown>>): string | undefined => {
  const source = volume['persistentVolumeClaim'] as { readonly claimName?: string } | undefined;
  return source?.claimName;
};

/** Claims that a pod uses, as `namespace/name`. A pod that has ended uses none. */
export const claimsOf = ({ metadata, spec, status }: Pod): readonly string[] =>
  ['Succeeded', 'Failed'].includes(status?.phase ?? '')
    ? []
    : (spec.volumes ?? []).flatMap((volume) => {
        const name = claimNameOf(volume);
        return name === undefined ? [] : [`${metadata.namespace ?? ''}/${name}`];
      });

// A cluster has many pods, and most of their fields are not needed here.
const trimPod = ({ apiVersion, kind, metadata, spec, status }: Pod): Pod => {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name ? { name } : {}),
      ...(namespace ? { namespace } : {}),
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
    },
    spec: { containers: [], volumes: (spec.volumes ?? []).filter((volume) => claimNameOf(volume) !== undefined) },
    ...(status?.phase ? { status: { phase: status.phase } } : {}),
  };
};

/** Pods by the claims they use: index `claim`. */
export const createPodInformer = (deps: ClusterInformersDeps): Informer<Pod> =>
  createInformer({ ...deps, resource: pods, transform: trimPod, indexers: { claim: claimsOf } });
