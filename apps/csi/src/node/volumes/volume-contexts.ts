import { VdoError } from '@vdo/base/vdo-error';
import { contextKeys, volumeTypes } from '../../driver.ts';

/** What the controller told about the disk when it attached it. */
export interface PublishedDisk {
  readonly diskUuid: string;
  readonly expectedBytes: bigint | undefined;
}

const malformed = (field: string, observed: string, remedy: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message: `publish_context has ${field} ${observed}`, remedy });

/** Reads the publish context of a block volume, as this driver or the Go driver wrote it. */
export const readPublishedDisk = (context: Readonly<Record<string, string>>): PublishedDisk => {
  const type = context[contextKeys.type];
  if (type === volumeTypes.file)
    throw new VdoError({
      code: 'Unimplemented',
      message: 'file volumes cannot be mounted by this version',
      remedy: 'Use the Upstream distribution for clusters that have file volumes.',
    });
  const diskUuid = context[contextKeys.diskUuid] ?? '';
  if (!/^[0-9a-f]{32}$/i.test(diskUuid.replaceAll('-', '')))
    throw malformed(
      'diskUUID',
      `"${diskUuid}"`,
      'It must be the 32 hexadecimal digits that ControllerPublishVolume gave.',
    );
  const size = context[contextKeys.sizeBytes];
  if (size !== undefined && !/^\d+$/.test(size)) throw malformed('size', `"${size}"`, 'It must be a number of bytes.');
  return { diskUuid, expectedBytes: size === undefined ? undefined : BigInt(size) };
};

/** True: created empty; false: made from other data; undefined: not said. */
export const readBlank = (volumeContext: Readonly<Record<string, string>>): boolean | undefined => {
  const text = volumeContext[contextKeys.blank];
  return text === undefined ? undefined : text === 'true';
};
