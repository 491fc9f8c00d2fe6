import { setMaxListeners } from 'node:events';
import { create } from '@bufbuild/protobuf';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { toVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { timestamp } from '@vdo/kube/conditions';
import type { Reconcile } from '@vdo/kube/controller';
import { createController } from '@vdo/kube/create-controller';
import type { EventRecorder } from '@vdo/kube/events';
import { type PersistentVolumeClaim, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import {
  type Controller,
  ControllerExpandVolumeRequestSchema,
  ControllerExpandVolumeResponseSchema,
} from '../../gen/csi-pb.ts';
import { formatQuantity } from '../../kube/quantity.ts';
import type { ServiceHandlers } from '../../rpc/service-handlers.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { eventMessage } from '../event-message.ts';
import { volumeCapabilityOf } from '../volume-capability-of.ts';
import { decideResize } from './decide-resize.ts';

export interface ResizerDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly controller: Required<Pick<ServiceHandlers<typeof Controller>, 'controllerExpandVolume'>>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Claims worked on at once. Default 10. */
  readonly workers?: number;
}

/** The Lease the upstream resizer would hold: who has it grows volumes. */
export const resizerLease = 'external-resizer-csi-vsphere-vmware-com';

const ownConditions = ['Resizing', 'FileSystemResizePending'];
const otherConditions = ({ status }: PersistentVolumeClaim) =>
  (status?.conditions ?? []).filter(({ type }) => !ownConditions.includes(type));

/** Grows the disk of a claim that asks for more, then tells the kubelet to grow the file system. */
export const createClaimResizer = ({ kube, informers, controller, events, fence, clock }: ResizerDeps): Reconcile => {
  const setStatus = async (claim: PersistentVolumeClaim, status: unknown, signal: AbortSignal): Promise<void> => {
    const { name = '', namespace = '' } = claim.metadata;
    const patch = { type: 'merge', body: { status } } as const;
    await kube.patch(persistentVolumeClaims, { name, namespace }, patch, { signal, subresource: 'status' });
  };
  const condition = (type: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime: timestamp(clock.now()),
    message,
  });
  // The fields by which kubelet and API server follow a growth that may fail and be taken back.
  const begin = (claim: PersistentVolumeClaim, bytes: bigint) => ({
    conditions: [...otherConditions(claim), condition('Resizing', 'the disk is being grown')],
    allocatedResources: { storage: formatQuantity(bytes) },
    allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' },
  });
  const handOver = (claim: PersistentVolumeClaim, bytes: bigint) => ({
    conditions: [
      ...otherConditions(claim),
      condition('FileSystemResizePending', 'the node has to grow the file system'),
    ],
    allocatedResources: { storage: formatQuantity(bytes) },
    allocatedResourceStatuses: { storage: 'NodeResizePending' },
  });

  return async (key, { signal }) => {
    const claim = informers.claims.get(key);
    if (!claim) return undefined;
    const volume = informers.volumes.get(claim.spec.volumeName ?? '');
    const decision = decideResize(claim, volume);
    if (decision.action === 'ignore') return undefined;
    if (decision.action === 'mark') {
      await setStatus(claim, handOver(claim, decision.bytes), signal);
      return undefined;
    }
    try {
      await setStatus(claim, begin(claim, decision.bytes), signal);
      const request = create(ControllerExpandVolumeRequestSchema, {
        volumeId: decision.volume.spec.csi?.volumeHandle ?? '',
        capacityRange: { requiredBytes: decision.bytes },
        volumeCapability: volumeCapabilityOf(decision.volume),
      });
      const reply = await controller.controllerExpandVolume(request, { signal, lifetime: signal, fence });
      const { capacityBytes } = create(ControllerExpandVolumeResponseSchema, reply);
      const body = { spec: { capacity: { storage: formatQuantity(capacityBytes) } } };
      const { name = '' } = decision.volume.metadata;
      await kube.patch(persistentVolumes, { name }, { type: 'merge', body }, { signal });
      await setStatus(claim, handOver(claim, decision.bytes), signal);
    } catch (cause) {
      const error = toVdoError(cause);
      if (!signal.aborted)
        events.record(claim, { type: 'Warning', reason: 'VolumeResizeFailed', message: eventMessage(error) });
      throw error;
    }
    const message = 'the disk was grown; the node grows the file system next';
    events.record(claim, { type: 'Normal', reason: 'FileSystemResizeRequired', message });
    return undefined;
  };
};

/** Does what the upstream csi-resizer does, while it leads. */
export const runResizer = async (deps: ResizerDeps, signal: AbortSignal): Promise<void> => {
  const { informers, workers = 10 } = deps;
  setMaxListeners(0, signal);
  const claims = createController({ ...deps, name: 'resize', workers, reconcile: createClaimResizer(deps) });
  await Promise.all([informers.claims, informers.volumes].map((informer) => informer.waitForSync({ signal })));
  const unsubscribe = informers.claims.onChange(({ type, object }) => {
    if (type !== 'deleted') claims.enqueue(keyOf(object));
  });
  try {
    await claims.run(signal);
  } finally {
    unsubscribe();
  }
};
