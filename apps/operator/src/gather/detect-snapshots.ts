import type { KubeClient } from '@vdo/kube/client';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { managedByLabel } from '@vdo/kube/types/well-known';
import { managedLabels } from '@vdo/releases/render/shared/labels';

const managed = managedByLabel;

/** Whether another tool installed the snapshot API. Its CRDs and its controller are installed and removed together. */
export const detectSnapshots = async (
  kube: KubeClient,
  { signal }: { readonly signal: AbortSignal },
): Promise<{ readonly snapshotCrds: boolean; readonly snapshotController: boolean }> => {
  const key = { name: 'volumesnapshots.snapshot.storage.k8s.io' };
  const found = await kube.find(customResourceDefinitions, key, { signal });
  const isForeign = found !== undefined && found.metadata.labels?.[managed] !== managedLabels[managed];
  return { snapshotCrds: isForeign, snapshotController: isForeign };
};
