import { VdoError } from '@vdo/base/vdo-error';
import { contextKeys, volumeTypes } from '../driver.ts';
import { type Controller, ControllerServiceCapability_RPC_Type as Rpc } from '../gen/csi-pb.ts';
import type { Placer } from '../placement/placer.ts';
import type { AttachmentService } from '../volumes/attachment-service.ts';
import type { ExpandVolume } from '../volumes/expand-service.ts';
import type { PublishedNodes } from '../volumes/published-nodes.ts';
import type { SnapshotService } from '../volumes/snapshot-service.ts';
import type { VolumeService } from '../volumes/volume.ts';
import { readVolumeAccess } from '../volumes/volume-access.ts';
import { volumeNotFound } from '../volumes/volume-not-found.ts';
import { mbToBytes } from '../volumes/volume-size.ts';
import { fromCreateVolumeRequest, toCreateVolumeResponse } from './create-volume-messages.ts';
import { createListHandlers, type ListHandlers } from './list-handlers.ts';
import { missingField, requireField } from './require-field.ts';
import type { ServiceHandlers } from './service-handlers.ts';
import { createSnapshotHandlers, type SnapshotHandlers } from './snapshot-handlers.ts';

/** What is advertised; everything here is implemented. */
const capabilities = [
  Rpc.CREATE_DELETE_VOLUME,
  Rpc.PUBLISH_UNPUBLISH_VOLUME,
  Rpc.LIST_VOLUMES,
  Rpc.LIST_VOLUMES_PUBLISHED_NODES,
  Rpc.GET_CAPACITY,
  Rpc.CREATE_DELETE_SNAPSHOT,
  Rpc.LIST_SNAPSHOTS,
  Rpc.CLONE_VOLUME,
  Rpc.EXPAND_VOLUME,
  Rpc.GET_VOLUME,
  Rpc.VOLUME_CONDITION,
  Rpc.SINGLE_NODE_MULTI_WRITER,
];

const reasonToRefuse = (check: () => unknown): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof VdoError && error.code === 'VolumeCapabilityUnsupported') return error.message;
    throw error;
  }
};

/** The operations that exist; the others of the service answer UNIMPLEMENTED. */
export type ControllerService = Required<
  Pick<
    ServiceHandlers<typeof Controller>,
    | 'controllerGetCapabilities'
    | 'createVolume'
    | 'deleteVolume'
    | 'controllerPublishVolume'
    | 'controllerUnpublishVolume'
    | 'controllerExpandVolume'
    | 'validateVolumeCapabilities'
  >
> &
  SnapshotHandlers &
  ListHandlers;

export interface ControllerServiceOptions {
  readonly volumes: VolumeService;
  readonly attachments: AttachmentService;
  readonly expandVolume: ExpandVolume;
  readonly snapshots: SnapshotService;
  readonly publishedNodes: PublishedNodes;
  readonly placer: Placer;
}

/** The CSI controller: checks requests and hands them to the domain. Used by the socket and by the built-in loops alike. */
export const createControllerService = (options: ControllerServiceOptions): ControllerService => {
  const { volumes, attachments, expandVolume } = options;
  return {
    ...createSnapshotHandlers(options.snapshots),
    ...createListHandlers(options),

    controllerGetCapabilities: async () => ({
      capabilities: capabilities.map((type) => ({ type: { case: 'rpc', value: { type } } })),
    }),

    createVolume: async (request, context) => {
      const spec = fromCreateVolumeRequest(request);
      return toCreateVolumeResponse(await volumes.create(spec, context), request.volumeContentSource);
    },

    deleteVolume: async (request, context) => {
      await volumes.delete(requireField('volume_id', request.volumeId), context);
      return {};
    },

    controllerPublishVolume: async (request, context) => {
      const volumeId = requireField('volume_id', request.volumeId);
      const nodeId = requireField('node_id', request.nodeId, { maxBytes: 256 });
      if (!request.volumeCapability) throw missingField('volume_capability');
      readVolumeAccess([request.volumeCapability]);
      const { diskUuid, volume } = await attachments.attach(volumeId, nodeId, context);
      return {
        publishContext: {
          [contextKeys.type]: volumeTypes.block,
          [contextKeys.diskUuid]: diskUuid,
          [contextKeys.sizeBytes]: String(mbToBytes(volume.sizeMb)),
        },
      };
    },

    controllerUnpublishVolume: async (request, context) => {
      const volumeId = requireField('volume_id', request.volumeId);
      await attachments.detach(volumeId, request.nodeId || undefined, context);
      return {};
    },

    controllerExpandVolume: async (request, context) => {
      const volumeId = requireField('volume_id', request.volumeId);
      const { capacityRange } = request;
      if (!capacityRange) throw missingField('capacity_range');
      const { requiredBytes, limitBytes } = capacityRange;
      const sizeMb = await expandVolume(volumeId, { requiredBytes, limitBytes }, context);
      // A raw device, too, keeps its old size in the kernel until the node scans it again.
      return { capacityBytes: mbToBytes(sizeMb), nodeExpansionRequired: true };
    },

    validateVolumeCapabilities: async (request, context) => {
      const id = requireField('volume_id', request.volumeId);
      if (request.volumeCapabilities.length === 0) throw missingField('volume_capabilities');
      if (!(await volumes.find(id, context))) throw volumeNotFound(id);
      const refusal = reasonToRefuse(() => readVolumeAccess(request.volumeCapabilities));
      if (refusal !== undefined) return { message: refusal };
      const { volumeContext, volumeCapabilities, parameters } = request;
      return { confirmed: { volumeContext, volumeCapabilities, parameters } };
    },
  };
};
