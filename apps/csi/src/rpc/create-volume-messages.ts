import type { MessageInitShape } from '@bufbuild/protobuf';
import { VdoError } from '@vdo/base/vdo-error';
import type {
  CreateVolumeRequest,
  CreateVolumeResponseSchema,
  TopologyRequirement,
  VolumeContentSource,
} from '@vdo/csi-proto/gen/csi-pb';
import { contextKeys, volumeTypes } from '../driver.ts';
import type { Segments } from '../placement/segments.ts';
import { claimUidOf } from '../volumes/claim-uid.ts';
import { readMutableParameters } from '../volumes/modify-service.ts';
import { parseSnapshotId } from '../volumes/snapshot-id.ts';
import type { CreatedVolume, CreateVolumeSpec, VolumeSource } from '../volumes/volume.ts';
import { readVolumeAccess } from '../volumes/volume-access.ts';
import { readVolumeParameters } from '../volumes/volume-parameters.ts';
import { mbToBytes } from '../volumes/volume-size.ts';
import { requireField, requireVolumeId } from './require-field.ts';

const sameSegments = (left: Segments, right: Segments): boolean =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([key, value]) => right[key] === value);

/** Acceptable places without repetition: the preferred ones in their order, then the rest of the requisite ones. */
const placesOf = (requirement: TopologyRequirement | undefined): readonly Segments[] => {
  const all = [...(requirement?.preferred ?? []), ...(requirement?.requisite ?? [])].map(({ segments }) => segments);
  const places = all.filter((place) => Object.keys(place).length > 0);
  return places.filter((place, index) => places.findIndex((other) => sameSegments(other, place)) === index);
};

const sourceOf = (source: VolumeContentSource | undefined): VolumeSource | undefined => {
  if (source?.type.case === 'volume') {
    const volumeId = requireVolumeId('volume_content_source.volume.volume_id', source.type.value.volumeId);
    return { kind: 'volume', volumeId };
  }
  if (source?.type.case !== 'snapshot') return undefined;
  const id = requireField('volume_content_source.snapshot.snapshot_id', source.type.value.snapshotId);
  const parsed = parseSnapshotId(id);
  if (!parsed)
    throw new VdoError({
      code: 'SnapshotNotFound',
      message: `${id} is no snapshot of this driver`,
      remedy: 'Use a VolumeSnapshot whose content was made by this driver.',
    });
  return { kind: 'snapshot', ...parsed };
};

/**
 * What a CreateVolume request asks for; throws for what is wrong with it or beyond this version. A class of the in-tree
 * provider without a datastore means the one that was its default.
 */
export const fromCreateVolumeRequest = (
  request: CreateVolumeRequest,
  inTreeDatastoreUrl?: string,
): CreateVolumeSpec => {
  const name = requireField('name', request.name);
  const { shared } = readVolumeAccess(request.volumeCapabilities);
  const { datastoreUrl, datastoreName, ...parameters } = readVolumeParameters(request.parameters, inTreeDatastoreUrl);
  // What a VolumeAttributesClass says wins over the StorageClass.
  const { storagePolicyName } = { ...parameters, ...readMutableParameters(request.mutableParameters) };
  const source = sourceOf(request.volumeContentSource);
  const uid = claimUidOf(name);
  const { capacityRange } = request;
  return {
    name,
    size: capacityRange
      ? { requiredBytes: capacityRange.requiredBytes, limitBytes: capacityRange.limitBytes }
      : undefined,
    ...(shared ? { kind: 'file' as const } : {}),
    ...(datastoreUrl === undefined ? {} : { datastoreUrl }),
    ...(datastoreName === undefined ? {} : { datastoreName }),
    ...(parameters.inTree ? { needsPath: true as const } : {}),
    ...(storagePolicyName === undefined ? {} : { storagePolicyName }),
    ...(source ? { source } : {}),
    ...(parameters.claim && uid ? { claim: { ...parameters.claim, uid } } : {}),
    topologies: placesOf(request.accessibilityRequirements),
  };
};

/** That a volume is empty is of use to who may format it only: a raw one is never, whoever asks for it later. */
const blankContext = ({ blank }: CreatedVolume, { volumeCapabilities }: CreateVolumeRequest) =>
  blank === undefined || (blank && readVolumeAccess(volumeCapabilities).kind === 'block')
    ? {}
    : { [contextKeys.blank]: String(blank) };

export const toCreateVolumeResponse = (
  volume: CreatedVolume,
  request: CreateVolumeRequest,
  inTree: boolean,
): MessageInitShape<typeof CreateVolumeResponseSchema> => ({
  volume: {
    volumeId: volume.id,
    capacityBytes: mbToBytes(volume.sizeMb),
    volumeContext: {
      type: volumeTypes[volume.kind],
      ...(inTree && volume.diskPath ? { [contextKeys.initialPath]: volume.diskPath } : {}),
      ...blankContext(volume, request),
    },
    ...(request.volumeContentSource ? { contentSource: request.volumeContentSource } : {}),
    ...(volume.topology ? { accessibleTopology: [{ segments: volume.topology }] } : {}),
  },
});
