import { VdoError } from '@vdo/base/vdo-error';
import { type FsType, isFsType } from '@vdo/linux-disks/file-system';
import type { DiskContent } from '@vdo/linux-disks/probe-disk';

/** What is known of a disk that is to be mounted. */
export interface FormatQuestion {
  readonly device: string;
  readonly content: DiskContent;
  /** Asked for; empty: whatever is there, else ext4. */
  readonly wanted: string;
  /** By the volume's context: created empty (true), made from other data (false), not said (an older driver). */
  readonly blank: boolean | undefined;
  /** First and last MiB are zeros. Only asked for if nothing was found. */
  readonly endsAreZero: boolean;
  readonly readOnly: boolean;
  readonly sizeBytes: bigint;
  /** By vCenter, if the attach told. */
  readonly expectedBytes: bigint | undefined;
}

export type FormatDecision =
  | { readonly action: 'mount'; readonly fsType: string }
  | { readonly action: 'format'; readonly fsType: FsType };

const refuse = (device: string, why: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeFormatRefused', message: `${device} is not formatted: ${why}`, remedy });

const byHand =
  'Look at it with blkid and lsblk on the node. Format it by hand only if it is certain that it holds nothing.';

const defaultFsType: FsType = 'ext4';

/**
 * Mounts what is there; formats only a disk that was created empty, on which nothing was found, and that is the disk it should be.
 * Everything else is refused: a wrong mkfs cannot be undone.
 */
export const decideFormat = (question: FormatQuestion): FormatDecision => {
  const { device, content, wanted, blank, endsAreZero, readOnly, sizeBytes, expectedBytes } = question;
  if (content.kind === 'file-system') {
    // The ext family reads its own elders.
    const bothExt = wanted.startsWith('ext') && content.fsType.startsWith('ext');
    const compatible = wanted === '' || wanted === content.fsType || bothExt;
    if (!compatible)
      throw refuse(
        device,
        `it holds a ${content.fsType} file system, ${wanted} was asked for`,
        `Use a StorageClass or PersistentVolume with fsType ${content.fsType}.`,
      );
    return { action: 'mount', fsType: content.fsType };
  }
  if (content.kind === 'other') throw refuse(device, `it holds ${content.found}`, byHand);
  const fsType = wanted || defaultFsType;
  if (!isFsType(fsType))
    throw refuse(device, `${fsType} is no file system of this driver`, 'Use ext4, ext3, xfs or btrfs.');
  if (readOnly)
    throw refuse(device, 'it is empty and asked for read-only', 'Write to the volume before it is mounted read-only.');
  if (blank === false) throw refuse(device, 'the volume is a copy of another one, yet nothing is found on it', byHand);
  if (expectedBytes !== undefined && expectedBytes !== sizeBytes)
    throw refuse(
      device,
      `it has ${sizeBytes} bytes, vCenter says ${expectedBytes}: it may be another disk`,
      'Detach and attach the volume again (delete the pod).',
    );
  if (blank === undefined && !endsAreZero)
    throw refuse(device, 'its origin is not known and it is not all zeros', byHand);
  return { action: 'format', fsType };
};
