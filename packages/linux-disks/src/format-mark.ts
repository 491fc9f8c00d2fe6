import { createHash } from 'node:crypto';
import { VdoError } from '@vdo/base/vdo-error';
import type { DiskHandle } from './disk-handle.ts';

/**
 * Written to a disk that was found unused, right before mkfs, and taken away right after, before the first mount. Whoever finds one on a
 * disk without a whole file system knows that an mkfs of ours was cut short there and that nobody has stored anything since: it may be
 * formatted again. It lies on the disk itself, so that it is true on whichever node the disk comes up next.
 */
const magic = 'VDO is making a file system here; no data yet.\n';
const markBytes = 512;
/** No mkfs writes to all of these places, of whatever size the disk is; one copy that is left is enough. In percent of the disk. */
const places = [45n, 61n, 83n, 97n];
const limitMs = 20_000;

export const markOffsets = (size: bigint): readonly bigint[] =>
  places.map((percent) => (((size / 100n) * percent) / 4096n) * 4096n);

/** The same bytes at the same place of the same disk only: a copy of the disk carries no mark of its own. */
const markAt = (diskUuid: string, offset: bigint): Buffer => {
  const text = `${magic}${diskUuid.replaceAll('-', '').toLowerCase()} ${offset}\n`;
  const mark = Buffer.alloc(markBytes);
  mark.write(`${text}${createHash('sha256').update(text).digest('hex')}\n`);
  return mark;
};

const ddTo = (path: string, offset: bigint): readonly string[] => [
  `of=${path}`,
  `seek=${offset}`,
  'oflag=seek_bytes',
  'conv=notrunc,fsync',
  'status=none',
];

const write = async (disk: DiskHandle, offset: bigint, bytes: Uint8Array): Promise<void> => {
  const { exitCode, stderr } = await disk.run('dd', ddTo(disk.self, offset), { input: bytes, limitMs });
  if (exitCode === 0) return;
  throw new VdoError({
    code: 'NodeCommandFailed',
    message: `${disk.path} cannot be written at ${offset}: ${stderr.trim() || `dd ended with ${exitCode}`}`,
    remedy: 'It is tried again. Look for write errors with dmesg on the node.',
  });
};

const isThere = async (disk: DiskHandle, offset: bigint): Promise<boolean> => {
  const args = ['-s', '-n', String(markBytes), '-i', `${offset}:0`, disk.self, '-'];
  const { exitCode } = await disk.run('cmp', args, { input: markAt(disk.diskUuid, offset), limitMs });
  return exitCode === 0;
};

/** The places at which a mark is whole. */
const marksOn = async (disk: DiskHandle, size: bigint): Promise<readonly bigint[]> => {
  const found: bigint[] = [];
  for (const offset of markOffsets(size)) if (await isThere(disk, offset)) found.push(offset);
  return found;
};

/** True if an mkfs of ours was begun on this disk and not ended. */
export const hasFormatMark = async (disk: DiskHandle, size: bigint): Promise<boolean> =>
  (await marksOn(disk, size)).length > 0;

/** Says on the disk that it is being formatted. The caller has found it unused. */
export const writeFormatMark = async (disk: DiskHandle, size: bigint): Promise<void> => {
  await disk.assertSame();
  for (const offset of markOffsets(size)) await write(disk, offset, markAt(disk.diskUuid, offset));
};

/** Takes the marks away: zeros, as before. Where mkfs has written meanwhile, nothing is touched. */
export const clearFormatMark = async (disk: DiskHandle, size: bigint): Promise<void> => {
  await disk.assertSame();
  for (const offset of await marksOn(disk, size)) await write(disk, offset, Buffer.alloc(markBytes));
};
