import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { CallOptions } from './node-testbed.ts';

/** A disk as it may come up on a node, and what is asked for it. */
export interface CorpusDisk {
  readonly name: string;
  readonly bytes: number;
  /** Puts on the device what it holds. */
  make(device: string, diskUuid: string): void;
  readonly call?: CallOptions;
}

export const mebibyte = 1024 * 1024;
const small = 64 * mebibyte;
/** The least that xfs takes, and somewhat more. */
const forXfs = 320 * mebibyte;
/** More than is read whole. */
const large = 600 * mebibyte;

export const put = (device: string, offset: number, bytes: string | Uint8Array): void => {
  const file = openSync(device, 'r+');
  const data = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  writeSync(file, data, 0, data.length, offset);
  fsyncSync(file);
  closeSync(file);
};
/** Of all that is on a disk. A sum that the processor computes as fast as it reads: nobody tries to deceive it. */
export const hashOf = ({ device, file }: { readonly device: string; readonly file: string }): string => {
  execFileSync('blockdev', ['--flushbufs', device]);
  return execFileSync('cksum', [file], { encoding: 'utf8' }).split(' ').slice(0, 2).join(' ');
};
const wipe = (device: string, length: number): void => {
  if (length < mebibyte) put(device, 0, Buffer.alloc(length));
  else execFileSync('blkdiscard', ['--zeroout', '--length', String(length), device]);
};
const mkfs: Readonly<Record<string, readonly string[]>> = {
  ext3: ['mkfs.ext3', '-F', '-q'],
  ext4: ['mkfs.ext4', '-F', '-q', '-E', 'nodiscard'],
  'ext4 of 1 KiB blocks': ['mkfs.ext4', '-F', '-q', '-b', '1024'],
  'ext4 of 2 KiB blocks': ['mkfs.ext4', '-F', '-q', '-b', '2048'],
  xfs: ['mkfs.xfs', '-f', '-q', '-K'],
  btrfs: ['mkfs.btrfs', '-f', '-q', '-K'],
  swap: ['mkswap', '--quiet'],
};
const format = (fsType: string, device: string): void => {
  const [command = '', ...args] = mkfs[fsType] ?? [];
  execFileSync(command, [...args, device], { stdio: 'ignore' });
};

/** A used file system of which the beginning is gone. */
const beheaded = (fsType: string, bytes: number, lost: number): CorpusDisk => ({
  name: `${fsType} of ${bytes / mebibyte} MiB that lost its first ${lost} bytes`,
  bytes,
  make: (device) => {
    format(fsType, device);
    wipe(device, lost);
  },
});
const signature = (name: string, offset: number, bytes: string, size = small): CorpusDisk => ({
  name,
  bytes: size,
  make: (device) => put(device, offset < 0 ? size + offset : offset, bytes),
});
const asked = (held: string, fsType: string, bytes: number): CorpusDisk => ({
  name: `${held} where ${fsType} is asked for`,
  bytes,
  make: (device) => format(held, device),
  call: {
    capability: { accessType: { case: 'mount', value: { fsType, mountFlags: [] } }, accessMode: { mode: 1 } },
  },
});
/** Places that look random, and are the same in every run. */
const somewhere = (index: number, size: number): number => ((index * 2_654_435_761) % (size - 8192)) & ~511;

/** What must never be formatted, however empty it was created. */
export const neverFormatted: readonly CorpusDisk[] = [
  beheaded('ext4', small, 4096),
  beheaded('ext4', small, mebibyte),
  beheaded('ext4 of 1 KiB blocks', small, 64 * 1024),
  beheaded('ext4 of 2 KiB blocks', small, 2 * mebibyte),
  beheaded('ext3', small, mebibyte),
  beheaded('ext4', large, 100 * mebibyte),
  beheaded('xfs', forXfs, 512),
  beheaded('xfs', forXfs, mebibyte),
  beheaded('xfs', large, 200 * mebibyte),
  beheaded('btrfs', 2 * small, 128 * 1024),
  beheaded('btrfs', large, 16 * mebibyte),
  beheaded('swap', small, 10),
  signature('a GPT at its beginning', 512, 'EFI PART\0\0\x01\0\\\0\0\0'),
  signature('a GPT of which only the copy at the end is left', -512, 'EFI PART\0\0\x01\0\\\0\0\0'),
  signature('the copy of a GPT at the end of a large disk', -512, 'EFI PART\0\0\x01\0\\\0\0\0', large),
  signature('the entries of a GPT near the end of a large disk', -33 * 512, 'linux', large),
  signature('a boot sector without partitions', 510, '\x55\xaa'),
  {
    name: 'a boot sector with a partition',
    bytes: small,
    make: (device) => put(device, 446, Buffer.from(`8020210083aa280c0008000000f00b00${'00'.repeat(48)}55aa`, 'hex')),
  },
  {
    name: 'an ext4 file system below a table with a partition',
    bytes: small,
    make: (device) => {
      format('ext4', device);
      put(device, 446, Buffer.from(`8020210083aa280c0008000000f00b00${'00'.repeat(48)}55aa`, 'hex'));
    },
  },
  signature('LVM', 512, 'LABELONE\x01\0\0\0'),
  signature('swap', 4086, 'SWAPSPACE2'),
  signature('LUKS', 0, 'LUKS\xba\xbe\0\x02'),
  signature('NTFS', 3, 'NTFS    '),
  signature('FAT', 54, 'FAT16   '),
  signature('ISO 9660', 32_769, 'CD001\x01'),
  signature('squashfs', 0, 'hsqs'),
  signature('F2FS', 1024, '\x10\x20\xf5\xf2'),
  signature('ReiserFS', 65_536 + 52, 'ReIsEr2Fs'),
  signature('JFS', 32_768, 'JFS1\x01\0\0\0'),
  signature('software RAID at the end', -8192, '\xfc\x4e\x2b\xa9\x01\0\0\0'),
  signature('a ZFS label at the end', -256 * 1024 + 128 * 1024, '\x0c\xb1\xba\0\0\0\0\0'),
  signature('bcache', 4096 + 24, '\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81'),
  signature('one byte at its beginning', 0, '\x01'),
  signature('one byte at its very end', -1, '\x01'),
  ...[1, 2, 3, 4, 5, 6].map((index) =>
    signature(`a database without file system, page ${index}`, somewhere(index, small), 'page'.repeat(128)),
  ),
  {
    name: 'three MiB of raw data on a large disk, where no file system keeps copies',
    bytes: large,
    make: (device) => put(device, 43 * mebibyte, Buffer.alloc(3 * mebibyte, 'data')),
  },
  asked('ext4', 'xfs', small),
  asked('xfs', 'ext4', forXfs),
  asked('btrfs', 'ext4', 2 * small),
  {
    name: 'an xfs that somebody else did not finish',
    bytes: forXfs,
    make: (device) => {
      format('xfs', device);
      put(device, 126, '\x01');
    },
    call: {
      capability: { accessType: { case: 'mount', value: { fsType: 'xfs', mountFlags: [] } }, accessMode: { mode: 1 } },
    },
  },
  { name: 'an empty copy', bytes: small, make: () => {}, call: { volumeContext: { 'vdo.vmware.com/blank': 'false' } } },
  { name: 'an empty disk of another size', bytes: small, make: () => {}, call: { bytes: small + mebibyte } },
];
