import type { MessageInitShape } from '@bufbuild/protobuf';
import { VdoError } from '@vdo/base/vdo-error';
import { parameterKeys } from '@vdo/config/names';
import {
  type CreateVolumeRequestSchema,
  VolumeCapability_AccessMode_Mode as Mode,
  type VolumeCapabilitySchema,
  type VolumeContentSourceSchema,
} from '@vdo/csi-proto/gen/csi-pb';
import type { PersistentVolumeClaim } from '@vdo/kube/types/core';
import { parseQuantity } from '@vdo/kube/types/quantity';
import type { StorageClass } from '@vdo/kube/types/storage';
import type { Segments } from '../../placement/segments.ts';
import { volumeNameOf } from './decide-claim.ts';

export interface TopologyChoice {
  readonly requisite: readonly Segments[];
  readonly preferred: readonly Segments[];
}

export interface VolumeRequestInput {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly topology?: TopologyChoice;
  readonly source?: MessageInitShape<typeof VolumeContentSourceSchema>;
  /** Of the claim's VolumeAttributesClass. */
  readonly mutableParameters?: Readonly<Record<string, string>>;
}

/** File system of volumes whose class names none. */
const defaultFsType = 'ext4';
const reservedPrefix = parameterKeys.prefix;
const fsTypeKey = `${reservedPrefix}fstype`;

const modes: Readonly<Record<string, Mode>> = {
  ReadWriteOnce: Mode.SINGLE_NODE_MULTI_WRITER,
  ReadWriteOncePod: Mode.SINGLE_NODE_SINGLE_WRITER,
  ReadOnlyMany: Mode.MULTI_NODE_READER_ONLY,
  ReadWriteMany: Mode.MULTI_NODE_MULTI_WRITER,
};

const invalid = (claim: PersistentVolumeClaim, observed: string, remedy: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `claim ${claim.metadata.namespace}/${claim.metadata.name} ${observed}`,
    remedy,
  });

const bytesOf = (claim: PersistentVolumeClaim, field: 'requests' | 'limits'): bigint => {
  const text = claim.spec.resources?.[field]?.storage;
  if (text === undefined) return 0n;
  const bytes = parseQuantity(text);
  if (bytes === undefined)
    throw invalid(claim, `has resources.${field}.storage "${text}"`, 'Write a quantity such as 10Gi.');
  return bytes;
};

/** File system of a claim's volume by its class; empty for raw block volumes. */
export const fsTypeOf = (claim: PersistentVolumeClaim, storageClass: StorageClass): string => {
  if (claim.spec.volumeMode === 'Block') return '';
  const given = Object.entries(storageClass.parameters ?? {}).find(([key]) => key.toLowerCase() === fsTypeKey)?.[1];
  return given || defaultFsType;
};

const capabilitiesOf = (
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
): MessageInitShape<typeof VolumeCapabilitySchema>[] => {
  const accessModes = claim.spec.accessModes ?? [];
  if (accessModes.length === 0) throw invalid(claim, 'has no accessModes', 'Set spec.accessModes to [ReadWriteOnce].');
  const mount = { fsType: fsTypeOf(claim, storageClass), mountFlags: [...(storageClass.mountOptions ?? [])] };
  return accessModes.map((name) => ({
    accessType: claim.spec.volumeMode === 'Block' ? { case: 'block', value: {} } : { case: 'mount', value: mount },
    accessMode: { mode: modes[name] ?? Mode.UNKNOWN },
  }));
};

/** What the driver is asked for, as the upstream provisioner would ask it. Throws for a claim that cannot be served. */
export const toVolumeRequest = (input: VolumeRequestInput): MessageInitShape<typeof CreateVolumeRequestSchema> => {
  const { claim, storageClass, topology, source, mutableParameters } = input;
  if (claim.spec.selector)
    throw invalid(claim, 'has a selector', 'Remove spec.selector: new volumes have no labels to select.');
  // Keys of the reserved prefix are meant for the provisioner, not for the driver.
  const parameters = Object.fromEntries(
    Object.entries(storageClass.parameters ?? {}).filter(([key]) => !key.toLowerCase().startsWith(reservedPrefix)),
  );
  const name = volumeNameOf(claim);
  return {
    name,
    capacityRange: { requiredBytes: bytesOf(claim, 'requests'), limitBytes: bytesOf(claim, 'limits') },
    volumeCapabilities: capabilitiesOf(claim, storageClass),
    parameters: {
      ...parameters,
      [`${reservedPrefix}pvc/name`]: claim.metadata.name ?? '',
      [`${reservedPrefix}pvc/namespace`]: claim.metadata.namespace ?? '',
      [`${reservedPrefix}pv/name`]: name,
    },
    ...(mutableParameters ? { mutableParameters: { ...mutableParameters } } : {}),
    ...(source ? { volumeContentSource: source } : {}),
    ...(topology
      ? {
          accessibilityRequirements: {
            requisite: topology.requisite.map((segments) => ({ segments })),
            preferred: topology.preferred.map((segments) => ({ segments })),
          },
        }
      : {}),
  };
};
