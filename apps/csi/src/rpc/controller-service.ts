import { VdoError } from '@vdo/base/vdo-error';
import type { VCenterFeatureId } from '@vdo/config/vcenter-features';
import { type Controller, ControllerServiceCapability_RPC_Type as Rpc } from '@vdo/csi-proto/gen/csi-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import { contextKeys, volumeTypes } from '../driver.ts';
import type { Offers } from '../placement/offered.ts';
import type { Placer } from '../placement/placer.ts';
import type { PolicyFilter } from '../placement/policy-filter.ts';
import type { AttachmentService } from '../volumes/attachment-service.ts';
import type { CsiVCenter } from '../volumes/csi-vcenter.ts';
import type { ExpandVolume } from '../volumes/expand-service.ts';
import { type ModifyVolume, readMutableParameters } from '../volumes/modify-service.ts';
import type { PublishedNodes } from '../volumes/published-nodes.ts';
import type { ShareService } from '../volumes/share-service.ts';
import type { SnapshotService } from '../volumes/snapshot-service.ts';
import type { Volume, VolumeService } from '../volumes/volume.ts';
import { readVolumeAccess, type VolumeAccess } from '../volumes/volume-access.ts';
import { parseVolumeId } from '../volumes/volume-id.ts';
import { volumeNotFound } from '../volumes/volume-not-found.ts';
import { readVolumeParameters } from '../volumes/volume-parameters.ts';
import { mbToBytes } from '../volumes/volume-size.ts';
import { fromCreateVolumeRequest, toCreateVolumeResponse } from './create-volume-messages.ts';
import { createListHandlers, type ListHandlers } from './list-handlers.ts';
import { missingField, requireField, requireVolumeId } from './require-field.ts';
import { createSnapshotHandlers, type SnapshotHandlers } from './snapshot-handlers.ts';

/** What is advertised; everything here is implemented. */
const capabilities: readonly { readonly type: Rpc; readonly needs?: VCenterFeatureId }[] = [
  { type: Rpc.CREATE_DELETE_VOLUME },
  { type: Rpc.PUBLISH_UNPUBLISH_VOLUME },
  { type: Rpc.LIST_VOLUMES },
  { type: Rpc.LIST_VOLUMES_PUBLISHED_NODES },
  { type: Rpc.GET_CAPACITY },
  { type: Rpc.CREATE_DELETE_SNAPSHOT, needs: 'snapshots' },
  { type: Rpc.LIST_SNAPSHOTS, needs: 'snapshots' },
  { type: Rpc.CLONE_VOLUME, needs: 'snapshots' },
  { type: Rpc.EXPAND_VOLUME, needs: 'growth' },
  { type: Rpc.GET_VOLUME },
  { type: Rpc.VOLUME_CONDITION },
  { type: Rpc.SINGLE_NODE_MULTI_WRITER },
  { type: Rpc.MODIFY_VOLUME, needs: 'policy-change' },
];
const needed = capabilities.flatMap(({ needs }) => needs ?? []);

const reasonToRefuse = (check: () => unknown): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof VdoError && error.code === 'VolumeCapabilityUnsupported') return error.message;
    throw error;
  }
};

const assertServes = ({ id, kind }: Volume, access: VolumeAccess): void => {
  const reason =
    kind === 'block' && access.shared
      ? [
          `is a disk, which serves one node at a time`,
          'Use ReadWriteOnce or ReadWriteOncePod, or a new claim with ReadWriteMany.',
        ]
      : kind === 'file' && access.kind === 'block'
        ? ['is a file share, which is no raw device', 'Use volumeMode Filesystem, or a new claim with ReadWriteOnce.']
        : undefined;
  if (reason)
    throw new VdoError({
      code: 'VolumeCapabilityUnsupported',
      message: `volume ${id} ${reason[0]}`,
      remedy: reason[1] ?? '',
    });
};

/** A PersistentVolume whose handle and attributes are of different kinds was written by hand, and wrongly. */
const assertContext = (volumeId: string, context: Readonly<Record<string, string>> | undefined): void => {
  const type = context?.[contextKeys.type];
  if (!type) return;
  const expected = volumeTypes[parseVolumeId(volumeId)?.kind === 'file' ? 'file' : 'block'];
  if (type !== expected)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `volume ${volumeId} comes with the attribute type "${type}", its handle asks for "${expected}"`,
      remedy: `Create the PersistentVolume again with volumeAttributes.type "${expected}", or without it.`,
    });
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
    | 'controllerModifyVolume'
    | 'validateVolumeCapabilities'
  >
> &
  SnapshotHandlers &
  ListHandlers;

export interface ControllerServiceOptions {
  readonly volumes: VolumeService;
  /** Refuses those of other clusters. */
  readonly own: Pick<VolumeService, 'find'>;
  readonly attachments: AttachmentService;
  readonly shares: ShareService;
  readonly expandVolume: ExpandVolume;
  readonly modifyVolume: ModifyVolume;
  readonly snapshots: SnapshotService;
  readonly publishedNodes: PublishedNodes;
  readonly placer: Placer;
  readonly vcenters: readonly CsiVCenter[];
  readonly policies: PolicyFilter;
  /** What the vCenters have. */
  readonly offers: Offers;
  /** Datastore of volumes whose class is one of the in-tree provider and names none. */
  readonly inTreeDatastoreUrl?: string;
}

/** The CSI controller: checks requests and hands them to the domain. Used by the socket and by the built-in loops alike. */
export const createControllerService = (options: ControllerServiceOptions): ControllerService => {
  const { volumes, own, attachments, shares, expandVolume, modifyVolume } = options;
  return {
    ...createSnapshotHandlers(options.snapshots),
    ...createListHandlers(options),

    controllerGetCapabilities: async (_request, context) => {
      const offered = await options.offers(needed, context);
      return {
        capabilities: capabilities
          .filter(({ needs }) => needs === undefined || offered.has(needs))
          .map(({ type }) => ({ type: { case: 'rpc', value: { type } } })),
      };
    },

    createVolume: async (request, context) => {
      const spec = fromCreateVolumeRequest(request, options.inTreeDatastoreUrl);
      const { inTree = false } = readVolumeParameters(request.parameters);
      return toCreateVolumeResponse(await volumes.create(spec, context), request, inTree);
    },

    deleteVolume: async (request, context) => {
      await volumes.delete(requireVolumeId('volume_id', request.volumeId), context);
      return {};
    },

    controllerPublishVolume: async (request, context) => {
      const volumeId = requireVolumeId('volume_id', request.volumeId);
      const nodeId = requireField('node_id', request.nodeId, { maxBytes: 256 });
      if (!request.volumeCapability) throw missingField('volume_capability');
      const access = readVolumeAccess([request.volumeCapability]);
      assertContext(volumeId, request.volumeContext);
      if (parseVolumeId(volumeId)?.kind === 'file') {
        const share = await own.find(volumeId, context);
        if (!share) throw volumeNotFound(volumeId);
        assertServes(share, access);
        const readOnly = access.readOnly || request.readonly;
        const accessPoint = await shares.publish(share, nodeId, readOnly, context);
        return { publishContext: { [contextKeys.type]: volumeTypes.file, [contextKeys.accessPoint]: accessPoint } };
      }
      const { diskUuid, volume } = await attachments.attach(volumeId, nodeId, context, (found) =>
        assertServes(found, access),
      );
      return {
        publishContext: {
          [contextKeys.type]: volumeTypes.block,
          [contextKeys.diskUuid]: diskUuid,
          [contextKeys.sizeBytes]: String(mbToBytes(volume.sizeMb)),
        },
      };
    },

    controllerUnpublishVolume: async (request, context) => {
      const volumeId = requireVolumeId('volume_id', request.volumeId);
      const nodeId = request.nodeId || undefined;
      const share = parseVolumeId(volumeId)?.kind === 'file' ? await volumes.find(volumeId, context) : undefined;
      if (share) await shares.unpublish(share, nodeId, context);
      else if (parseVolumeId(volumeId)?.kind === 'block') await attachments.detach(volumeId, nodeId, context);
      return {};
    },

    controllerExpandVolume: async (request, context) => {
      const volumeId = requireVolumeId('volume_id', request.volumeId);
      const { capacityRange } = request;
      if (!capacityRange) throw missingField('capacity_range');
      const { requiredBytes, limitBytes } = capacityRange;
      const { sizeMb, kind } = await expandVolume(volumeId, { requiredBytes, limitBytes }, context);
      // A raw device, too, keeps its old size in the kernel until the node scans it again; a share has its size on the server.
      return { capacityBytes: mbToBytes(sizeMb), nodeExpansionRequired: kind === 'block' };
    },

    controllerModifyVolume: async (request, context) => {
      const volumeId = requireVolumeId('volume_id', request.volumeId);
      await modifyVolume(volumeId, readMutableParameters(request.mutableParameters), context);
      return {};
    },

    validateVolumeCapabilities: async (request, context) => {
      const id = requireVolumeId('volume_id', request.volumeId);
      if (request.volumeCapabilities.length === 0) throw missingField('volume_capabilities');
      const volume = await volumes.find(id, context);
      if (!volume) throw volumeNotFound(id);
      const refusal = reasonToRefuse(() => assertServes(volume, readVolumeAccess(request.volumeCapabilities)));
      if (refusal !== undefined) return { message: refusal };
      const { volumeContext, volumeCapabilities, parameters } = request;
      return { confirmed: { volumeContext, volumeCapabilities, parameters } };
    },
  };
};
