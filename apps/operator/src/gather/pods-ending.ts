import type { Clock } from '@vdo/base/clock';
import { names } from '@vdo/config/names';
import type { CallOptions, KubeClient } from '@vdo/kube/client';
import { pods } from '@vdo/kube/types/core';
import { driverLabel } from '@vdo/releases/render/shared/labels';

const pageSize = 500;

/**
 * Whether pods of the drivers are still ending: deleted and within their grace period. A pod that exceeds it is on a node
 * that no longer exists; VDO does not wait for it.
 */
export const createPodsEnding =
  ({ client, namespace, clock }: { readonly client: KubeClient; readonly namespace: string; readonly clock: Clock }) =>
  async ({ signal }: CallOptions): Promise<boolean> => {
    const places = new Set([namespace, names.upstreamCsiNamespace, names.systemNamespace]);
    for (const place of places) {
      const query = { namespace: place, labelSelector: driverLabel, limit: pageSize, ...(signal ? { signal } : {}) };
      for await (const { items } of client.pages(pods, query))
        if (items.some(({ metadata }) => Date.parse(metadata.deletionTimestamp ?? '') > clock.now())) return true;
    }
    return false;
  };
