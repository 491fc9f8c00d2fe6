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
const blockBytes = 4096n;
/** No mkfs writes to all of these places, of whatever size the disk is; one copy that is left is enough. In percent of the disk. */
const places = [45n, 61n, 83n, 97n];
/** Of every power of two. A disk that has grown since has other percents, and still these. */
const steadyPercent = 71n;
const leastPower = 24n;
/** So many of the last ones are written. */
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

/** The marks of a disk. Each names its disk and its place: a copy of the disk carries none. Those at steady places name the size, too. */
const marksOf = (disk: DiskHandle, size: bigint): readonly Mark[] => [
  ...markOffsets(size).map((offset) => ({ offset, bytes: markOf(`${nameOf(disk)} ${offset}`) })),
  ...steadyPlaces(size)
    .slice(-steadyMarks)
    .map((offset) => ({ offset, bytes: markOf(`${nameOf(disk)} ${offset} of ${size}`) })),
];

/** The size that the disk had when a mark was written, by the mark itself; undefined if it is none of this disk. */
const sizeToldBy = (disk: DiskHandle, offset: bigint, bytes: Buffer): bigint | undefined => {
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

// One program for all places. Each is on the disk before the next one is begun.
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

/** The places at which a mark is whole, also those of a time when the disk was smaller. */
const marksOn = async (disk: DiskHandle, size: bigint): Promise<readonly bigint[]> => {
  const read = await readAt(disk, [...markOffsets(size), ...steadyPlaces(size)]);
  const reported = read.flatMap(({ offset, bytes }) => sizeToldBy(disk, offset, bytes) ?? []);
  const earlier = [...new Set(reported)].filter((other) => other < size);
  const before: bigint[] = [];
  for (const other of earlier) {
    const marks = marksOf(disk, other);
    const offsets = marks.map(({ offset }) => offset);
    before.push(...wholeAmong(await readAt(disk, offsets), marks));
  }
  return [...new Set([...wholeAmong(read, marksOf(disk, size)), ...before])];
};

/** True if an mkfs of ours was begun on this disk and not ended. */
export const hasFormatMark = async (disk: DiskHandle, size: bigint): Promise<boolean> =>
  (await marksOn(disk, size)).length > 0;

const clear = (disk: DiskHandle, offsets: readonly bigint[]): Promise<void> =>
  write(
    disk,
    offsets.map((offset) => ({ offset, bytes: Buffer.alloc(markBytes) })),
  );

/**
 * Says on the disk that it is being formatted. The caller has found it unused, or marked already (`again`): what is left of marks of
 * another size goes then, because mkfs may take from it what tells where the others are.
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

/** Takes the marks away: zeros, as before. Where mkfs has written meanwhile, nothing is touched. */
export const clearFormatMark = async (disk: DiskHandle, size: bigint): Promise<void> => {
  await disk.assertSame();
  await clear(disk, await marksOn(disk, size));
};
