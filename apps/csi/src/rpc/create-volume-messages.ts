import type { MessageInitShape } from '@bufbuild/protobuf';
import { VdoError } from '@vdo/base/vdo-error';
import { contextKeys, volumeTypes } from '../driver.ts';
import type { CreateVolumeRequest, CreateVolumeResponseSchema, TopologyRequirement } from '../gen/csi-pb.ts';
import type { Segments } from '../placement/segments.ts';
import type { CreatedVolume, CreateVolumeSpec } from '../volumes/volume.ts';
import { readVolumeAccess } from '../volumes/volume-access.ts';
import { readVolumeParameters } from '../volumes/volume-parameters.ts';
import { mbToBytes } from '../volumes/volume-size.ts';
import { requireField } from './require-field.ts';

const unsupported = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'Unimplemented', message, remedy });

const sameSegments = (left: Segments, right: Segments): boolean =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([key, value]) => right[key] === value);

/** Acceptable places without repetition: the preferred ones in their order, then the rest of the requisite ones. */
const placesOf = (requirement: TopologyRequirement | undefined): readonly Segments[] => {
  const all = [...(requirement?.preferred ?? []), ...(requirement?.requisite ?? [])].map(({ segments }) => segments);
  const places = all.filter((place) => Object.keys(place).length > 0);
  return places.filter((place, index) => places.findIndex((other) => sameSegments(other, place)) === index);
};

/** What a CreateVolume request asks for; throws for what is wrong with it or beyond this version. */
export const fromCreateVolumeRequest = (request: CreateVolumeRequest): CreateVolumeSpec => {
  const name = requireField('name', request.name);
  readVolumeAccess(request.volumeCapabilities);
  const { datastoreUrl, storagePolicyName } = readVolumeParameters(request.parameters);
  if (storagePolicyName !== undefined)
    throw unsupported(
      `storage policy ${storagePolicyName} cannot be used: this version places volumes without policies`,
      'Use a StorageClass with datastoreurl, or none, until policies are supported.',
    );
  if (request.volumeContentSource?.type.case !== undefined)
    throw unsupported(
      `volume ${name} is to be made from a ${request.volumeContentSource.type.case}, which this version cannot`,
      'Create an empty volume and copy the data.',
    );
  const { capacityRange } = request;
  return {
    name,
    size: capacityRange
      ? { requiredBytes: capacityRange.requiredBytes, limitBytes: capacityRange.limitBytes }
      : undefined,
    ...(datastoreUrl === undefined ? {} : { datastoreUrl }),
    topologies: placesOf(request.accessibilityRequirements),
  };
};

export const toCreateVolumeResponse = (volume: CreatedVolume): MessageInitShape<typeof CreateVolumeResponseSchema> => ({
  volume: {
    volumeId: volume.id,
    capacityBytes: mbToBytes(volume.sizeMb),
    volumeContext: { type: volumeTypes.block, ...(volume.blank ? { [contextKeys.blank]: 'true' } : {}) },
    ...(volume.topology ? { accessibleTopology: [{ segments: volume.topology }] } : {}),
  },
});
