import type { TarEntry } from './tar.ts';

const block = 512;

const textAt = (bytes: Buffer, start: number, length: number): string => {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('utf8');
};

/** NaN if it is not a number: a negative size would lead to an endless loop. */
const numberAt = (bytes: Buffer, start: number, length: number): number => {
  const digits = textAt(bytes, start, length).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
};

const sumOf = (header: Buffer): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);

/** The plain files of a tar archive (POSIX ustar). Throws RangeError if it is not a tar archive or is truncated. */
export const untar = (archive: Buffer): readonly TarEntry[] => {
  const entries: TarEntry[] = [];
  for (let at = 0; ; ) {
    const header = archive.subarray(at, at + block);
    if (header.length < block) throw new RangeError(`the archive ends within a header, after ${archive.length} bytes`);
    if (header.every((byte) => byte === 0)) return entries;
    if (numberAt(header, 148, 8) !== sumOf(header)) throw new RangeError(`no file header at byte ${at}`);
    const size = numberAt(header, 124, 12);
    const prefix = textAt(header, 345, 155);
    const path = `${prefix === '' ? '' : `${prefix}/`}${textAt(header, 0, 100)}`;
    if (Number.isNaN(size)) throw new RangeError(`${path} has no size`);
    const type = textAt(header, 156, 1);
    if (type !== '0' && type !== '') throw new RangeError(`${path} is not a plain file`);
    const content = archive.subarray(at + block, at + block + size);
    if (content.length < size) throw new RangeError(`${path} is truncated: ${content.length} of ${size} bytes`);
    entries.push({ path, content });
    at += block + Math.ceil(size / block) * block;
  }
};
