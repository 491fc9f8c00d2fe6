import type { Clock } from '@vdo/base/clock';
import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { timestamp } from '@vdo/kube/conditions';
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from '@vdo/kube/types/core';
import { formatQuantity, parseQuantity } from '@vdo/kube/types/quantity';

export interface ClaimCondition {
  readonly type: string;
  readonly message: string;
  readonly reason?: string;
}

export interface ClaimStatusWriter {
  /** The claim's conditions, with some removed and others set. */
  conditions(claim: PersistentVolumeClaim, without: readonly string[], add: readonly ClaimCondition[]): unknown;
  /** Merges into the status; returns the updated claim. */
  write(claim: PersistentVolumeClaim, status: unknown, signal: AbortSignal): Promise<PersistentVolumeClaim>;
}

/** Writes the status of claims for the loops that change volumes. */
export const createClaimStatusWriter = (deps: {
  readonly kube: Pick<KubeClient, 'patch'>;
  readonly clock: Clock;
}): ClaimStatusWriter => ({
  conditions: ({ status }, without, add) => [
    ...(status?.conditions ?? []).filter(({ type }) => !without.includes(type)),
    ...add.map((condition) => ({
      ...condition,
      status: 'True',
      lastTransitionTime: timestamp(deps.clock.now()),
    })),
  ],
  write: ({ metadata }, status, signal) => {
    // The list of conditions is replaced as a whole, so it must not have changed since it was read.
    const { name = '', namespace = '', resourceVersion } = metadata;
    const body = { metadata: { resourceVersion }, status };
    return deps.kube.patch(
      persistentVolumeClaims,
      { name, namespace },
      { type: 'merge', body },
      { signal, subresource: 'status' },
    );
  },
});

/** Writes the present size of a disk to its PersistentVolume, based on the version that was read last. */
export type CapacityWriter = (volume: PersistentVolume, bytes: bigint, signal: AbortSignal) => Promise<void>;

/**
 * A disk only grows, so a smaller size is an older one. The write has the resourceVersion as a precondition, so that it is refused if it
 * is late and another controller has expanded the disk further.
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
      // The object was changed meanwhile: its present state decides. A second conflict is left to the next attempt.
      const { name = '', uid } = volume.metadata;
      const now = await kube.get(persistentVolumes, { name }, { signal });
      if (now.metadata.uid !== uid) throw error;
      await raise(now, bytes, signal);
    }
  };
};
