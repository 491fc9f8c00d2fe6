import { VdoError } from '@vdo/base/vdo-error';
import { type FsType, isFsType } from '@vdo/linux-disks/file-system';
import type { DiskContent } from '@vdo/linux-disks/probe-disk';

/** What is known about a disk that is to be mounted. */
export interface FormatQuestion {
  readonly device: string;
  readonly content: DiskContent;
  /** The requested file system; empty: the existing one, or else ext4. */
  readonly wanted: string;
  /** From the volume context: created empty (true), created from other data (false), or unknown (an older driver). It stays true forever, so it proves nothing by itself. */
  readonly blank: boolean | undefined;
  /** This driver started an mkfs on the disk that was interrupted before anything could mount it. */
  readonly marked: boolean;
  /** Offset of the first byte that is not zero; undefined if there is none. Determined only if nothing else was found. */
  readonly signAt: bigint | undefined;
  /** A file system or a program uses the disk exclusively. */
  readonly claimed: boolean;
  readonly readOnly: boolean;
  readonly sizeBytes: bigint;
  /** Size reported by vCenter, if the publish context has it. */
  readonly expectedBytes: bigint | undefined;
}

export type FormatDecision =
  | { readonly action: 'mount'; readonly fsType: string }
  /** `again`: over the remains of an interrupted mkfs. */
  | { readonly action: 'format'; readonly fsType: FsType; readonly again: boolean };

const refuse = (device: string, why: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeFormatRefused', message: `${device} is not formatted: ${why}`, remedy });

const byHand = (device: string): string =>
  `Inspect it with blkid -p ${device} and hexdump -C ${device} | head on the node. If you are certain that it contains no data that you need, erase it with blkdiscard -z ${device}. The driver then formats it.`;

const defaultFsType: FsType = 'ext4';

const mountWhatIsThere = ({ device, wanted }: FormatQuestion, fsType: string): FormatDecision => {
  // The drivers of the ext family can mount its older versions.
  const bothExt = wanted.startsWith('ext') && fsType.startsWith('ext');
  if (wanted === '' || wanted === fsType || bothExt) return { action: 'mount', fsType };
  throw refuse(
    device,
    `it contains a ${fsType} file system, but ${wanted} was requested`,
    `Use a StorageClass or PersistentVolume with fsType ${fsType}.`,
  );
};

/** Throws if the disk shows anything at all that mkfs would destroy. */
const assertUnused = ({ device, content, marked, signAt }: FormatQuestion): void => {
  if (content.kind === 'other') throw refuse(device, `it contains ${content.found}`, byHand(device));
  // The remains of this driver's own mkfs are not data.
  if (marked) return;
  if (content.kind === 'unfinished')
    throw refuse(
      device,
      `it contains an incomplete ${content.fsType} file system that another program began to create`,
      byHand(device),
    );
  if (signAt !== undefined)
    throw refuse(
      device,
      `it has no file system, but data was written to it: there are bytes other than zero from byte ${signAt} on, expected an unused disk`,
      byHand(device),
    );
};

/**
 * Mounts an existing file system. Formats only a disk that has no sign of use and that is certainly the expected disk.
 * Refuses everything else, because a wrong mkfs cannot be undone.
 */
export const decideFormat = (question: FormatQuestion): FormatDecision => {
  const { device, content, wanted, blank, marked, claimed, readOnly, sizeBytes, expectedBytes } = question;
  if (content.kind === 'file-system') return mountWhatIsThere(question, content.fsType);
  assertUnused(question);
  const fsType = wanted || defaultFsType;
  if (!isFsType(fsType))
    throw refuse(device, `this driver does not support the file system ${fsType}`, 'Use ext4, ext3, xfs or btrfs.');
  if (claimed)
    throw refuse(
      device,
      'another program uses it exclusively',
      `To see which one, run lsof ${device} and lsblk ${device} on the node. The kubelet retries.`,
    );
  if (readOnly)
    throw refuse(
      device,
      'it is empty and was requested read-only',
      'Write data to the volume before you mount it read-only.',
    );
  if (blank === false)
    throw refuse(device, 'the volume is a copy of another one, but no data was found on it', byHand(device));
  if (expectedBytes !== undefined && expectedBytes !== sizeBytes)
    throw refuse(
      device,
      `it has ${sizeBytes} bytes, but vCenter reports ${expectedBytes}: it may be another disk`,
      'Detach and attach the volume again (delete the pod).',
    );
  return { action: 'format', fsType, again: marked };
};
