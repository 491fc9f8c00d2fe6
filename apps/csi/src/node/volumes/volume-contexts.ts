import { VdoError } from '@vdo/base/vdo-error';
import { contextKeys, volumeTypes } from '../../driver.ts';

/** What the controller reported about the disk when it attached it. */
export interface PublishedDisk {
  readonly kind: 'disk';
  readonly diskUuid: string;
  readonly expectedBytes: bigint | undefined;
  /** Created empty, and never attached before. */
  readonly firstUse: boolean;
}

/** The vSAN address of a file share. */
export interface PublishedShare {
  readonly kind: 'share';
  /** `host:/path`. */
  readonly accessPoint: string;
}

const malformed = (field: string, observed: string, remedy: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message: `publish_context has ${field} ${observed}`, remedy });

const readDisk = (context: Readonly<Record<string, string>>): PublishedDisk => {
  const diskUuid = context[contextKeys.diskUuid] ?? '';
  if (!/^[0-9a-f]{32}$/i.test(diskUuid.replaceAll('-', '')))
    throw malformed(
      'diskUUID',
      `"${diskUuid}"`,
      'It must be the 32 hexadecimal digits that ControllerPublishVolume returned.',
    );
  const size = context[contextKeys.sizeBytes];
  if (size !== undefined && !/^\d+$/.test(size)) throw malformed('size', `"${size}"`, 'It must be a number of bytes.');
  const firstUse = context[contextKeys.firstUse] === 'true';
  return { kind: 'disk', diskUuid, expectedBytes: size === undefined ? undefined : BigInt(size), firstUse };
};

const readShare = (context: Readonly<Record<string, string>>): PublishedShare => {
  const accessPoint = context[contextKeys.accessPoint] ?? '';
  if (!/^(\[[0-9a-f:]+\]|[^\s:,/]+):\/[^\s,]*$/i.test(accessPoint))
    throw malformed(
      contextKeys.accessPoint,
      `"${accessPoint}"`,
      'It must be host:/path, as ControllerPublishVolume returned it.',
    );
  return { kind: 'share', accessPoint };
};

/** Reads the publish context of a volume, as this driver or the Go driver wrote it. */
export const readPublishedVolume = (context: Readonly<Record<string, string>>): PublishedDisk | PublishedShare =>
  context[contextKeys.type] === volumeTypes.file ? readShare(context) : readDisk(context);

/** True: created empty; false: created from other data; undefined: not specified. */
export const readBlank = (volumeContext: Readonly<Record<string, string>>): boolean | undefined => {
  const text = volumeContext[contextKeys.blank];
  return text === undefined ? undefined : text === 'true';
};
