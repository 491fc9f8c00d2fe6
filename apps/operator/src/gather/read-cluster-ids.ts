import type { KubeClient } from '@vdo/kube/client';
import { configMaps } from '@vdo/kube/types/core';
import type { KeptClusterIds } from '@vdo/releases/render/cluster-id';
import { names } from '@vdo/releases/render/names';

/** What the drivers of both distributions call this cluster, so that one goes on with the id of the other. */
export const readClusterIds = async (
  kube: KubeClient,
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<KeptClusterIds> => {
  const [native, upstream] = await Promise.all(
    [namespace, names.csiLeaseNamespace].map(async (place) => {
      const found = await kube.find(configMaps, { namespace: place, name: names.csiClusterId }, { signal });
      return found?.data?.['clusterID'];
    }),
  );
  return { ...(native ? { native } : {}), ...(upstream ? { upstream } : {}) };
};
