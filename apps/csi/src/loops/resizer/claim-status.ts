import type { Clock } from '@vdo/base/clock';
import type { KubeClient } from '@vdo/kube/client';
import { timestamp } from '@vdo/kube/conditions';
import { type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';

export interface ClaimCondition {
  readonly type: string;
  readonly message: string;
  readonly reason?: string;
}

export interface ClaimStatusWriter {
  /** The claim's conditions without some, and with others. */
  conditions(claim: PersistentVolumeClaim, without: readonly string[], add: readonly ClaimCondition[]): unknown;
  /** Merges into the status; gives the claim as it is then. */
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
    // The conditions are replaced as a whole: they must be those that were read.
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
