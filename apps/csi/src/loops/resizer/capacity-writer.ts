import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { formatQuantity, parseQuantity } from '@vdo/kube/types/quantity';

/** Says how large a disk is now, starting from the PersistentVolume as it was seen last. */
export type CapacityWriter = (volume: PersistentVolume, bytes: bigint, signal: AbortSignal) => Promise<void>;

/**
 * A disk only grows, so a smaller size is an older one. The write names the version that it goes out from: one that comes late, when
 * another controller has grown the disk further, is refused.
 */
export const createCapacityWriter = (kube: Pick<KubeClient, 'get' | 'patch'>): CapacityWriter => {
  const raise = async (volume: PersistentVolume, bytes: bigint, signal: AbortSignal): Promise<void> => {
    const { name = '', uid, resourceVersion } = volume.metadata;
    const shown = parseQuantity(volume.spec.capacity?.storage ?? '0') ?? 0n;
    if (shown >= bytes) return;
    const body = { metadata: { uid, resourceVersion }, spec: { capacity: { storage: formatQuantity(bytes) } } };
    await kube.patch(persistentVolumes, { name }, { type: 'merge', body }, { signal });
  };
  return async (volume, bytes, signal) => {
    try {
      await raise(volume, bytes, signal);
    } catch (error) {
      if (!isVdoError(error, 'KubeConflict')) throw error;
      // Somebody changed it since: what it says now decides. A second conflict is left to the next try.
      const { name = '', uid } = volume.metadata;
      const now = await kube.get(persistentVolumes, { name }, { signal });
      if (now.metadata.uid !== uid) throw error;
      await raise(now, bytes, signal);
    }
  };
};
