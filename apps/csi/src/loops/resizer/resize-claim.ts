import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import { toVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import type { PersistentVolumeClaim } from '@vdo/kube/types/core';
import { formatQuantity } from '@vdo/kube/types/quantity';
import type { Volumes } from '../../volumes/volumes.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { eventMessage, recheckLater } from '../event-message.ts';
import { createCapacityWriter, createClaimStatusWriter } from './claim-status.ts';
import { decideResize, type ResizeDecision, resizeStatus } from './decide-resize.ts';
import { isInfeasible } from './infeasible.ts';

export interface ResizeClaimDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly volumes: Pick<Volumes, 'controllerExpandVolume'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly clock: Clock;
}

type Grow = Extract<ResizeDecision, { readonly action: 'grow' }>;

const ownConditions = ['Resizing', 'FileSystemResizePending', 'ControllerResizeError'];

/** Expands the disk of a claim that requests more, then has the kubelet expand the file system. */
export const createClaimResizer = (deps: ResizeClaimDeps): Reconcile => {
  const { kube, informers, volumes, events, fence } = deps;
  const raiseCapacity = createCapacityWriter(kube);
  const writer = createClaimStatusWriter(deps);
  /** Claims whose last attempt has definitely failed: the user may change the requested size. */
  const failed = new Set<string>();

  const begin = (claim: PersistentVolumeClaim, bytes: bigint, signal: AbortSignal) =>
    writer.write(
      claim,
      {
        conditions: writer.conditions(claim, ownConditions, [
          { type: 'Resizing', message: 'the disk is being expanded' },
        ]),
        allocatedResources: { storage: formatQuantity(bytes) },
        allocatedResourceStatuses: { storage: resizeStatus.controllerInProgress },
      },
      signal,
    );
  const handOver = (claim: PersistentVolumeClaim, bytes: bigint, signal: AbortSignal) =>
    writer.write(
      claim,
      {
        conditions: writer.conditions(claim, ownConditions, [
          { type: 'FileSystemResizePending', message: 'the node has to expand the file system' },
        ]),
        allocatedResources: { storage: formatQuantity(bytes) },
        allocatedResourceStatuses: { storage: resizeStatus.nodePending },
      },
      signal,
    );

  const grow = async (claim: PersistentVolumeClaim, { volume, bytes }: Grow, signal: AbortSignal): Promise<void> => {
    const begun = await begin(claim, bytes, signal);
    const volumeId = volume.spec.csi?.volumeHandle ?? '';
    const wanted = { volumeId, size: { requiredBytes: bytes, limitBytes: 0n } };
    try {
      const grown = await volumes.controllerExpandVolume(wanted, { signal, lifetime: signal, fence });
      await raiseCapacity(volume, grown.sizeBytes, signal);
      if (grown.nodeExpansionRequired) await handOver(begun, bytes, signal);
      else await finish(begun, grown.sizeBytes, signal);
    } catch (cause) {
      await giveUp(begun, cause, signal);
    }
  };

  /** File shares do not need to be expanded on the node. */
  const finish = (claim: PersistentVolumeClaim, bytes: bigint, signal: AbortSignal) =>
    writer.write(
      claim,
      {
        conditions: writer.conditions(claim, ownConditions, []),
        capacity: { storage: formatQuantity(bytes) },
        allocatedResourceStatuses: { storage: null },
      },
      signal,
    );

  const giveUp = async (claim: PersistentVolumeClaim, cause: unknown, signal: AbortSignal): Promise<never> => {
    const error = toVdoError(cause);
    const key = `${claim.metadata.namespace}/${claim.metadata.name}`;
    if (signal.aborted || error.code === 'KubeConflict') throw error;
    if (error.effect === 'unknown') failed.delete(key);
    else {
      failed.add(key);
      const message = eventMessage(error);
      const conditions = writer.conditions(claim, ownConditions, [{ type: 'ControllerResizeError', message }]);
      const storage = isInfeasible(error) ? resizeStatus.controllerInfeasible : resizeStatus.controllerInProgress;
      await writer.write(claim, { conditions, allocatedResourceStatuses: { storage } }, signal);
    }
    throw error;
  };

  return async (key, { signal }) => {
    const claim = informers.claims.get(key);
    if (!claim) {
      failed.delete(key);
      return undefined;
    }
    const volume = informers.volumes.get(claim.spec.volumeName ?? '');
    const decision = decideResize(claim, volume, { lastTryFailed: failed.has(key) });
    if (decision.action === 'ignore') return undefined;
    if (decision.action === 'mark') {
      await handOver(claim, decision.bytes, signal);
      return undefined;
    }
    try {
      await grow(claim, decision, signal);
    } catch (cause) {
      const error = toVdoError(cause);
      if (!signal.aborted && error.code !== 'KubeConflict')
        events.record(claim, { type: 'Warning', reason: 'VolumeResizeFailed', message: eventMessage(error) });
      throw recheckLater(error);
    }
    failed.delete(key);
    const message = 'the disk was expanded; the node expands the file system next';
    events.record(claim, { type: 'Normal', reason: 'FileSystemResizeRequired', message });
    return undefined;
  };
};
