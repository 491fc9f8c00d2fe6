import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { VCenterFeatureId } from '@vdo/config/vcenter-features';
import {
  type Controller,
  type CreateVolumeRequest,
  ControllerServiceCapability_RPC_Type as Rpc,
  type TopologyRequirement,
  type VolumeContentSource,
} from '@vdo/csi-proto/gen/csi-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import { volumeTypes } from '../driver.ts';
import type { Offers } from '../placement/offered.ts';
import type { Segments } from '../placement/segments.ts';
import { pageOf } from '../volumes/page.ts';
import { missingField } from '../volumes/require-field.ts';
import type { Snapshot } from '../volumes/snapshot-service.ts';
import type { Volume } from '../volumes/volume.ts';
import { parseSnapshotId } from '../volumes/volume-id.ts';
import { mbToBytes } from '../volumes/volume-size.ts';
import type { CopiedFrom, ListedVolume, NewVolume, VolumeOperations } from '../volumes/volumes.ts';
import { toVolumeUses } from './volume-uses.ts';

/** The advertised capabilities; all of them are implemented. */
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

/** The implemented operations; the others of the service return UNIMPLEMENTED. */
export type ControllerService = Required<
  Pick<ServiceHandlers<typeof Controller>, keyof VolumeOperations | 'controllerGetCapabilities'>
>;

export interface ControllerServiceDeps {
  readonly volumes: VolumeOperations;
  /** The features of the vCenters. */
  readonly offers: Offers;
}

const sameSegments = (left: Segments, right: Segments): boolean =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([key, value]) => right[key] === value);

/** Acceptable topology segments without duplicates: the preferred ones in their order, then the other requisite ones. */
const placesOf = (requirement: TopologyRequirement | undefined): readonly Segments[] => {
  const all = [...(requirement?.preferred ?? []), ...(requirement?.requisite ?? [])].map(({ segments }) => segments);
  const places = all.filter((place) => Object.keys(place).length > 0);
  return places.filter((place, index) => places.findIndex((other) => sameSegments(other, place)) === index);
};

const copiedFrom = (source: VolumeContentSource | undefined): CopiedFrom | undefined => {
  if (source?.type.case === 'volume') return { kind: 'volume', volumeId: source.type.value.volumeId };
  return source?.type.case === 'snapshot' ? { kind: 'snapshot', snapshotId: source.type.value.snapshotId } : undefined;
};

const newVolume = (request: CreateVolumeRequest): NewVolume => {
  const { name, capacityRange: size, parameters, mutableParameters } = request;
  const source = copiedFrom(request.volumeContentSource);
  return {
    name,
    size: size && { requiredBytes: size.requiredBytes, limitBytes: size.limitBytes },
    uses: toVolumeUses(request.volumeCapabilities),
    parameters,
    mutableParameters,
    ...(source ? { source } : {}),
    topologies: placesOf(request.accessibilityRequirements),
  };
};

const conditionOf = ({ health }: Volume) =>
  health === 'red'
    ? { abnormal: true, message: 'vCenter reports the volume as not accessible (red)' }
    : { abnormal: false, message: health ? `vCenter reports ${health}` : 'vCenter reports nothing unusual' };

const toEntry = ({ volumeId, volume, publishedNodeIds }: ListedVolume) => ({
  volume: {
    volumeId,
    capacityBytes: mbToBytes(volume.sizeMb),
    volumeContext: { type: volumeTypes[volume.kind] },
  },
  status: { publishedNodeIds: [...publishedNodeIds], volumeCondition: conditionOf(volume) },
});

const toSnapshot = ({ id, volumeId, createdAt, sizeMb }: Snapshot) => ({
  snapshotId: id,
  sourceVolumeId: volumeId,
  sizeBytes: mbToBytes(sizeMb),
  creationTime: timestampFromDate(createdAt),
  // CNS replies only after the snapshot is ready to use.
  readyToUse: true,
});

/** The CSI service on top of the volumes: converts requests and replies, and decides nothing. */
export const createControllerService = ({ volumes, offers }: ControllerServiceDeps): ControllerService => ({
  controllerGetCapabilities: async (_request, context) => {
    const offered = await offers(needed, context);
    return {
      capabilities: capabilities
        .filter(({ needs }) => needs === undefined || offered.has(needs))
        .map(({ type }) => ({ type: { case: 'rpc', value: { type } } })),
    };
  },

  createVolume: async (request, context) => {
    const { id, sizeBytes, topology, ...volume } = await volumes.createVolume(newVolume(request), context);
    return {
      volume: {
        volumeId: id,
        capacityBytes: sizeBytes,
        volumeContext: { ...volume.context },
        ...(request.volumeContentSource ? { contentSource: request.volumeContentSource } : {}),
        ...(topology ? { accessibleTopology: [{ segments: topology }] } : {}),
      },
    };
  },

  deleteVolume: async ({ volumeId }, context) => {
    await volumes.deleteVolume(volumeId, context);
    return {};
  },

  controllerPublishVolume: async (request, context) => {
    const { volumeId, nodeId, volumeContext, volumeCapability } = request;
    const [use] = volumeCapability ? toVolumeUses([volumeCapability]) : [];
    if (!use) throw missingField('volume_capability');
    const wanted = { volumeId, nodeId, use, readOnly: request.readonly, volumeContext };
    return { publishContext: { ...(await volumes.controllerPublishVolume(wanted, context)) } };
  },

  controllerUnpublishVolume: async ({ volumeId, nodeId }, context) => {
    await volumes.controllerUnpublishVolume({ volumeId, nodeId: nodeId || undefined }, context);
    return {};
  },

  controllerExpandVolume: async ({ volumeId, capacityRange }, context) => {
    if (!capacityRange) throw missingField('capacity_range');
    const { requiredBytes, limitBytes } = capacityRange;
    const wanted = { volumeId, size: { requiredBytes, limitBytes } };
    const { sizeBytes, nodeExpansionRequired } = await volumes.controllerExpandVolume(wanted, context);
    return { capacityBytes: sizeBytes, nodeExpansionRequired };
  },

  controllerModifyVolume: async ({ volumeId, mutableParameters }, context) => {
    await volumes.controllerModifyVolume({ volumeId, mutableParameters }, context);
    return {};
  },

  validateVolumeCapabilities: async (request, context) => {
    const { volumeId, volumeContext, volumeCapabilities, parameters } = request;
    if (volumeCapabilities.length === 0) throw missingField('volume_capabilities');
    const asked = { volumeId, uses: toVolumeUses(volumeCapabilities) };
    const message = await volumes.validateVolumeCapabilities(asked, context);
    return message === undefined ? { confirmed: { volumeContext, volumeCapabilities, parameters } } : { message };
  },

  listVolumes: async ({ maxEntries, startingToken }, context) => {
    const { entries, nextToken } = await volumes.listVolumes({ maxEntries, startingToken }, context);
    return { entries: entries.map(toEntry), nextToken };
  },

  controllerGetVolume: async ({ volumeId }, context) => toEntry(await volumes.controllerGetVolume(volumeId, context)),

  getCapacity: async ({ volumeCapabilities, parameters, accessibleTopology }, context) => {
    const place = accessibleTopology?.segments ?? {};
    const question = { uses: toVolumeUses(volumeCapabilities), parameters, place };
    const { availableBytes, largestBytes } = await volumes.getCapacity(question, context);
    return { availableCapacity: availableBytes, maximumVolumeSize: largestBytes };
  },

  createSnapshot: async ({ name, sourceVolumeId: volumeId }, context) => ({
    snapshot: toSnapshot(await volumes.createSnapshot({ name, volumeId }, context)),
  }),

  deleteSnapshot: async ({ snapshotId }, context) => {
    await volumes.deleteSnapshot(snapshotId, context);
    return {};
  },

  listSnapshots: async ({ snapshotId, sourceVolumeId, maxEntries, startingToken }, context) => {
    const asked = snapshotId ? { snapshotId } : sourceVolumeId ? { volumeId: sourceVolumeId } : {};
    const isKey = (token: string) => parseSnapshotId(token) !== undefined;
    const found = await volumes.listSnapshots(asked, context);
    const { entries, nextToken } = pageOf(found, ({ id }) => id, { maxEntries, startingToken, isKey });
    return { entries: entries.map((snapshot) => ({ snapshot: toSnapshot(snapshot) })), nextToken };
  },
});
