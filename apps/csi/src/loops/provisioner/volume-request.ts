import { VdoError } from '@vdo/base/vdo-error';
import { parameterKeys } from '@vdo/config/names';
import type { PersistentVolumeClaim } from '@vdo/kube/types/core';
import { parseQuantity } from '@vdo/kube/types/quantity';
import type { StorageClass } from '@vdo/kube/types/storage';
import type { Segments } from '../../placement/segments.ts';
import type { VolumeUse } from '../../volumes/volume-access.ts';
import type { CopiedFrom, NewVolume } from '../../volumes/volumes.ts';
import { volumeUsesOf } from '../volume-use.ts';
import { volumeNameOf } from './decide-claim.ts';

export interface VolumeRequestInput {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  /** Acceptable places, preferred ones first. Default: everywhere. */
  readonly topologies?: readonly Segments[];
  readonly source?: CopiedFrom;
  /** Of the claim's VolumeAttributesClass. */
  readonly mutableParameters?: Readonly<Record<string, string>>;
}

/** File system of volumes whose class names none. */
const defaultFsType = 'ext4';
const reservedPrefix = parameterKeys.prefix;
const fsTypeKey = `${reservedPrefix}fstype`;

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

const usesOf = (claim: PersistentVolumeClaim, storageClass: StorageClass): readonly VolumeUse[] => {
  const uses = volumeUsesOf(claim.spec, fsTypeOf(claim, storageClass));
  if (uses.length === 0) throw invalid(claim, 'has no accessModes', 'Set spec.accessModes to [ReadWriteOnce].');
  return uses;
};

/** What a claim asks for, as the upstream provisioner would ask it. Throws for a claim that cannot be served. */
export const toNewVolume = (input: VolumeRequestInput): NewVolume => {
  const { claim, storageClass, topologies = [], source, mutableParameters } = input;
  if (claim.spec.selector)
    throw invalid(claim, 'has a selector', 'Remove spec.selector: new volumes have no labels to select.');
  // Keys of the reserved prefix are meant for the provisioner, not for the driver.
  const parameters = Object.fromEntries(
    Object.entries(storageClass.parameters ?? {}).filter(([key]) => !key.toLowerCase().startsWith(reservedPrefix)),
  );
  const name = volumeNameOf(claim);
  return {
    name,
    size: { requiredBytes: bytesOf(claim, 'requests'), limitBytes: bytesOf(claim, 'limits') },
    uses: usesOf(claim, storageClass),
    parameters: {
      ...parameters,
      [`${reservedPrefix}pvc/name`]: claim.metadata.name ?? '',
      [`${reservedPrefix}pvc/namespace`]: claim.metadata.namespace ?? '',
      [`${reservedPrefix}pv/name`]: name,
    },
    ...(mutableParameters ? { mutableParameters } : {}),
    ...(source ? { source } : {}),
    topologies,
  };
};
