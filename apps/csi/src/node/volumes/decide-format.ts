import { VdoError } from '@vdo/base/vdo-error';
import { type FsType, isFsType } from '@vdo/linux-disks/file-system';
import type { DiskContent } from '@vdo/linux-disks/probe-disk';

/** What is known of a disk that is to be mounted. */
export interface FormatQuestion {
  readonly device: string;
  readonly content: DiskContent;
  /** Asked for; empty: whatever is there, else ext4. */
  readonly wanted: string;
  /** By the volume's context: created empty (true), made from other data (false), not said (an older driver). True for ever, so that it proves nothing by itself. */
  readonly blank: boolean | undefined;
  /** An mkfs of ours was begun on the disk and cut short before anybody could mount it. */
  readonly marked: boolean;
  /** Where the disk was written to; undefined: nowhere. Only asked for if nothing else was found. */
  readonly signAt: bigint | undefined;
  /** A file system or a program has the disk for itself. */
  readonly claimed: boolean;
  readonly readOnly: boolean;
  readonly sizeBytes: bigint;
  /** By vCenter, if the attach told. */
  readonly expectedBytes: bigint | undefined;
}

export type FormatDecision =
  | { readonly action: 'mount'; readonly fsType: string }
  /** `again`: over what an interrupted mkfs left. */
  | { readonly action: 'format'; readonly fsType: FsType; readonly again: boolean };

const refuse = (device: string, why: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeFormatRefused', message: `${device} is not formatted: ${why}`, remedy });

const byHand = (device: string): string =>
  `Look at it with blkid -p ${device} and hexdump -C ${device} | head on the node. If it is certain that it holds nothing worth keeping, empty it with blkdiscard -z ${device}; it is formatted then.`;

const defaultFsType: FsType = 'ext4';

const mountWhatIsThere = ({ device, wanted }: FormatQuestion, fsType: string): FormatDecision => {
  // The ext family reads its own elders.
  const bothExt = wanted.startsWith('ext') && fsType.startsWith('ext');
  if (wanted === '' || wanted === fsType || bothExt) return { action: 'mount', fsType };
  throw refuse(
    device,
    `it holds a ${fsType} file system, ${wanted} was asked for`,
    `Use a StorageClass or PersistentVolume with fsType ${fsType}.`,
  );
};

/** Throws if the disk shows anything at all that mkfs would destroy. */
const assertUnused = ({ device, content, marked, signAt }: FormatQuestion): void => {
  if (content.kind === 'other') throw refuse(device, `it holds ${content.found}`, byHand(device));
  // What an mkfs of ours left behind is no data.
  if (marked) return;
  if (content.kind === 'unfinished')
    throw refuse(
      device,
      `it holds a ${content.fsType} file system that somebody else began to make and did not finish`,
      byHand(device),
    );
  if (signAt !== undefined)
    throw refuse(
      device,
      `no file system is found on it, but it was written to: byte ${signAt} and what follows it are not all zeros, expected an unused disk`,
      byHand(device),
    );
};

/**
 * Mounts what is there; formats only a disk that shows no sign of use and that is the disk it should be.
 * Everything else is refused: a wrong mkfs cannot be undone.
 */
export const decideFormat = (question: FormatQuestion): FormatDecision => {
  const { device, content, wanted, blank, marked, claimed, readOnly, sizeBytes, expectedBytes } = question;
  if (content.kind === 'file-system') return mountWhatIsThere(question, content.fsType);
  assertUnused(question);
  const fsType = wanted || defaultFsType;
  if (!isFsType(fsType))
    throw refuse(device, `${fsType} is no file system of this driver`, 'Use ext4, ext3, xfs or btrfs.');
  if (claimed)
    throw refuse(
      device,
      'another program has it for itself',
      `lsof ${device} and lsblk ${device} on the node show which. It is tried again.`,
    );
  if (readOnly)
    throw refuse(device, 'it is empty and asked for read-only', 'Write to the volume before it is mounted read-only.');
  if (blank === false)
    throw refuse(device, 'the volume is a copy of another one, yet nothing is found on it', byHand(device));
  if (expectedBytes !== undefined && expectedBytes !== sizeBytes)
    throw refuse(
      device,
      `it has ${sizeBytes} bytes, vCenter says ${expectedBytes}: it may be another disk`,
      'Detach and attach the volume again (delete the pod).',
    );
  return { action: 'format', fsType, again: marked };
};
