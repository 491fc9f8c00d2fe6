import { createHash } from 'node:crypto';
import { VdoError } from '@vdo/base/vdo-error';
import type { DiskHandle } from './disk-handle.ts';

/**
 * A mark that is written to an unused disk right before mkfs, and removed right after it, before the first mount. A mark on a disk without a
 * complete file system proves that this driver's mkfs was interrupted and that no data was stored since, so the disk may be formatted again.
 * The mark is on the disk itself, so that it is valid on any node to which the disk is attached next.
 */
const magic = 'VDO is making a file system here; no data yet.\n';
const markBytes = 512;
const blockBytes = 4096n;
/** Positions in percent of the disk. No mkfs writes to all of them, for any disk size; one remaining copy is sufficient. */
const places = [45n, 61n, 83n, 97n];
/** Positions at powers of two. If the disk was expanded since, the percent positions have moved, but these have not. */
const steadyPercent = 71n;
const leastPower = 24n;
/** Number of the last of these positions that are written. */
const steadyMarks = 3;
const limitMs = 60_000;

const aligned = (offset: bigint): bigint => (offset / blockBytes) * blockBytes;
export const markOffsets = (size: bigint): readonly bigint[] =>
  places.map((percent) => aligned((size / 100n) * percent));
const steadyPlaces = (size: bigint): readonly bigint[] => {
  const found: bigint[] = [];
  for (let power = leastPower; ; power++) {
    const offset = aligned(((1n << power) / 100n) * steadyPercent);
    if (offset + blockBytes > size) return found;
    found.push(offset);
  }
};

const markOf = (line: string): Buffer => {
  const text = `${magic}${line}\n`;
  const mark = Buffer.alloc(markBytes);
  mark.write(`${text}${createHash('sha256').update(text).digest('hex')}\n`);
  return mark;
};
const nameOf = ({ diskUuid }: DiskHandle): string => diskUuid.replaceAll('-', '').toLowerCase();

interface Mark {
  readonly offset: bigint;
  readonly bytes: Buffer;
}

/** The marks of a disk. Each contains its disk and its position, so a copy of the disk has no valid mark. Those at fixed positions also contain the size. */
const marksOf = (disk: DiskHandle, size: bigint): readonly Mark[] => [
  ...markOffsets(size).map((offset) => ({ offset, bytes: markOf(`${nameOf(disk)} ${offset}`) })),
  ...steadyPlaces(size)
    .slice(-steadyMarks)
    .map((offset) => ({ offset, bytes: markOf(`${nameOf(disk)} ${offset} of ${size}`) })),
];

/** The size of the disk when a mark was written, from the mark itself; undefined if it is not a mark of this disk. */
const sizeInMark = (disk: DiskHandle, offset: bigint, bytes: Buffer): bigint | undefined => {
  const line = bytes.toString('latin1').split('\n')[1] ?? '';
  const [, size] = / of (\d{1,20})$/.exec(line) ?? [];
  return size !== undefined && bytes.equals(markOf(`${nameOf(disk)} ${offset} of ${size}`)) ? BigInt(size) : undefined;
};

const cannot = ({ path }: DiskHandle, what: string, seen: string): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `${path} cannot be ${what}: ${seen}`,
    remedy: `The kubelet retries. Check dmesg on the node for ${what === 'read' ? 'read' : 'write'} errors.`,
  });

// One process for all positions. Each mark is on the disk before the next one is written.
const writeScript = `disk=$1; shift; for at; do
  dd of="$disk" bs=${markBytes} count=1 seek="$at" iflag=fullblock oflag=seek_bytes conv=notrunc,fsync status=none || exit
done`;
const readScript = `disk=$1; shift; for at; do
  od -A n -v -t x1 -w${markBytes} -j "$at" -N ${markBytes} "$disk" || exit
done`;

const write = async (disk: DiskHandle, marks: readonly Mark[]): Promise<void> => {
  if (marks.length === 0) return;
  const offsets = marks.map(({ offset }) => String(offset));
  const input = Buffer.concat(marks.map(({ bytes }) => bytes));
  const result = await disk.run('sh', ['-c', writeScript, 'mark', disk.self, ...offsets], { input, limitMs });
  const { exitCode, stderr } = result;
  if (exitCode !== 0)
    throw cannot(disk, `written at ${offsets.join(', ')}`, stderr.trim() || `dd ended with ${exitCode}`);
};

const readAt = async (disk: DiskHandle, offsets: readonly bigint[]): Promise<readonly Mark[]> => {
  const args = ['-c', readScript, 'marks', disk.self, ...offsets.map(String)];
  const { exitCode, stdout, stderr } = await disk.run('sh', args, { limitMs });
  if (exitCode !== 0) throw cannot(disk, 'read', stderr.trim() || `od ended with ${exitCode}`);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.flatMap((line, index) => {
    const offset = offsets[index];
    return offset === undefined ? [] : [{ offset, bytes: Buffer.from(line.replaceAll(' ', ''), 'hex') }];
  });
};

const wholeAmong = (read: readonly Mark[], marks: readonly Mark[]): readonly bigint[] =>
  read
    .filter(({ offset, bytes }) => marks.some((mark) => mark.offset === offset && mark.bytes.equals(bytes)))
    .map(({ offset }) => offset);

/** The positions with an intact mark, including those from a time when the disk was smaller. */
const marksOn = async (disk: DiskHandle, size: bigint): Promise<readonly bigint[]> => {
  const read = await readAt(disk, [...markOffsets(size), ...steadyPlaces(size)]);
  const reported = read.flatMap(({ offset, bytes }) => sizeInMark(disk, offset, bytes) ?? []);
  const earlier = [...new Set(reported)].filter((other) => other < size);
  const before: bigint[] = [];
  for (const other of earlier) {
    const marks = marksOf(disk, other);
    const offsets = marks.map(({ offset }) => offset);
    before.push(...wholeAmong(await readAt(disk, offsets), marks));
  }
  return [...new Set([...wholeAmong(read, marksOf(disk, size)), ...before])];
};

/** True if this driver's mkfs was started on this disk and did not end. */
export const hasFormatMark = async (disk: DiskHandle, size: bigint): Promise<boolean> =>
  (await marksOn(disk, size)).length > 0;

const clear = (disk: DiskHandle, offsets: readonly bigint[]): Promise<void> =>
  write(
    disk,
    offsets.map((offset) => ({ offset, bytes: Buffer.alloc(markBytes) })),
  );

/**
 * Marks the disk as being formatted. The caller has found it unused, or already marked (`again`). In that case old marks for another disk
 * size are removed, because mkfs may overwrite the marks that show where the others are.
 */
export const writeFormatMark = async (
  disk: DiskHandle,
  size: bigint,
  { again }: { readonly again: boolean },
): Promise<void> => {
  await disk.assertSame();
  const earlier = again ? await marksOn(disk, size) : [];
  const marks = marksOf(disk, size);
  await write(disk, marks);
  await clear(
    disk,
    earlier.filter((offset) => !marks.some((mark) => mark.offset === offset)),
  );
};

/** Removes the marks: writes zeros, as before. Positions that mkfs has written meanwhile are not changed. */
export const clearFormatMark = async (disk: DiskHandle, size: bigint): Promise<void> => {
  await disk.assertSame();
  await clear(disk, await marksOn(disk, size));
};
