import { isVdoError } from '@vdo/base/vdo-error';
import { leaseNames, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { Change } from '@vdo/kube/informer';
import { type Lease, leases } from '@vdo/kube/types/cluster';
import type { Pod } from '@vdo/kube/types/core';
import type { UpgradeHold } from '../observation.ts';

const { provisioner, attacher, resizer, snapshotter, syncer } = leaseNames;
const storageLeases = [provisioner, attacher, resizer, snapshotter, syncer];
const namespace = names.upstreamCsiNamespace;
/** Why storage is not served although its pods are ready. */
const waitsForLease = 'WaitsForLease';
const recheckMs = 60_000;

/** Whether the kubelet has reported that every container of a deleted pod has ended. Not so for pods deleted by force or with their node. */
const hasEnded = ({ metadata, spec, status }: Pod): boolean => {
  const states = status?.containerStatuses ?? [];
  return (
    metadata.deletionTimestamp !== undefined &&
    states.length >= spec.containers.length &&
    states.every(({ state }) => state !== undefined && 'terminated' in state)
  );
};

/**
 * The Leases that upstream's sidecars do not release when they exit: for two minutes no other pod could serve. Holders have the names of their pods.
 * A Lease is released for its holder once the kubelet has reported the end of that pod; otherwise VDO waits for it to expire and reports that.
 */
export interface LeftLeases {
  /** A pod of an upstream controller has changed. True if it has ended. */
  see(change: Change<Pod>): boolean;
  /** Releases the Leases of ended pods and returns those it waits for. Makes no call unless a pod has ended. */
  settle(options: { readonly signal: AbortSignal; readonly nowMs: number }): Promise<UpgradeHold | undefined>;
}

export const createLeftLeases = (kube: Pick<KubeClient, 'find' | 'update'>): LeftLeases => {
  const pods = new Map<string, 'alive' | 'ended' | 'vanished'>();

  const giveBack = async (lease: Lease, signal: AbortSignal): Promise<void> => {
    // With the resourceVersion that was read: a new holder keeps the Lease.
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 };
    try {
      await kube.update(leases, { ...lease, spec }, { signal });
    } catch (error) {
      if (!isVdoError(error, 'KubeConflict')) throw error;
    }
  };

  return {
    see: ({ type, object }) => {
      const { name = '' } = object.metadata;
      if (hasEnded(object)) pods.set(name, 'ended');
      else if (type !== 'deleted') pods.set(name, 'alive');
      else if (pods.get(name) !== 'ended') pods.set(name, 'vanished');
      return pods.get(name) !== 'alive';
    },
    settle: async ({ signal, nowMs }) => {
      const over = [...pods].filter(([, state]) => state !== 'alive').map(([name]) => name);
      if (over.length === 0) return undefined;
      const held = new Set<string>();
      let hold: UpgradeHold | undefined;
      for (const name of storageLeases) {
        const lease = await kube.find(leases, { namespace, name }, { signal });
        const holder = lease?.spec?.holderIdentity ?? '';
        if (!lease || !over.includes(holder)) continue;
        if (pods.get(holder) === 'ended') {
          await giveBack(lease, signal);
          continue;
        }
        held.add(holder);
        const message = `Storage waits for Lease ${namespace}/${name}: pod ${holder} holds it, and no kubelet has reported that the pod has ended. The Lease expires ${lease.spec?.leaseDurationSeconds ?? 0} s after its last renewal.`;
        hold ??= { reason: waitsForLease, message, untilMs: nowMs + recheckMs };
      }
      for (const name of over) if (!held.has(name)) pods.delete(name);
      return hold;
    },
  };
};
