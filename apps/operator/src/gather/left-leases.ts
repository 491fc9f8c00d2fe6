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
/** Why storage is not served though its pods are ready. */
const waitsForLease = 'WaitsForLease';
const recheckMs = 60_000;

/** Whether the kubelet has said that every container of a deleted pod is over. One that was removed by force, or with its node, has not. */
const hasEnded = ({ metadata, spec, status }: Pod): boolean => {
  const states = status?.containerStatuses ?? [];
  return (
    metadata.deletionTimestamp !== undefined &&
    states.length >= spec.containers.length &&
    states.every(({ state }) => state !== undefined && 'terminated' in state)
  );
};

/**
 * The Leases that upstream's sidecars keep when they end: for two minutes nobody else would serve. Their holders are called as their pods.
 * One is given back for its holder when the kubelet has reported the end of that pod; of any other it is waited for, and the wait is told.
 */
export interface LeftLeases {
  /** A pod of an upstream controller has changed. True if it is over. */
  see(change: Change<Pod>): boolean;
  /** Gives back what can be; tells what is waited for. No call unless a pod was seen to go. */
  settle(options: { readonly signal: AbortSignal; readonly nowMs: number }): Promise<UpgradeHold | undefined>;
}

export const createLeftLeases = (kube: Pick<KubeClient, 'find' | 'update'>): LeftLeases => {
  const pods = new Map<string, 'alive' | 'ended' | 'vanished'>();

  const giveBack = async (lease: Lease, signal: AbortSignal): Promise<void> => {
    // Over what was read: whoever has taken it since keeps it.
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
        const message = `Storage waits for Lease ${namespace}/${name}: pod ${holder} has it, and no kubelet has reported its end. It runs out ${lease.spec?.leaseDurationSeconds ?? 0} s after the last sign of life.`;
        hold ??= { reason: waitsForLease, message, untilMs: nowMs + recheckMs };
      }
      for (const name of over) if (!held.has(name)) pods.delete(name);
      return hold;
    },
  };
};
