import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseMountInfo } from '@vdo/linux-disks/mount-table';

const blockBytes = 4096;

/** Which blocks of an image hold anything: what was written, without the times and UUIDs that are different every time. */
const usedBlocks = (file: string): string => {
  const [image, hash, zeros] = [openSync(file, 'r'), createHash('sha256'), Buffer.alloc(blockBytes)];
  const part = Buffer.alloc(256 * blockBytes);
  try {
    for (let at = 0, read = readSync(image, part, 0, part.length, 0); read > 0; ) {
      for (let offset = 0; offset < read; offset += blockBytes)
        if (!part.subarray(offset, offset + blockBytes).equals(zeros)) hash.update(`${at + offset} `);
      at += read;
      read = readSync(image, part, 0, part.length, at);
    }
  } finally {
    closeSync(image);
  }
  return hash.digest('hex');
};

/** Files of the test bed, with what is in the small ones. What is mounted is not entered. */
const filesBelow = (folder: string, mounted: ReadonlySet<string>): readonly string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (mounted.has(path)) return [`${path} (mounted)`];
    const kind = lstatSync(path);
    if (kind.isDirectory()) return [`${path}/`, ...filesBelow(path, mounted)];
    return [`${path} ${kind.isFile() && kind.size < 1024 ? readFileSync(path, 'utf8') : kind.size}`];
  });

export interface Remains {
  readonly folder: string;
  readonly device: string;
  readonly file: string;
  readonly diskUuid: string;
}

/**
 * What a dead driver leaves: mounts, files, the lock and the protection of the disk, and, if the disk is new and nobody has mounted it,
 * what was written to it. Names that are different for every volume are replaced.
 */
export const leftBehind = (
  { folder, device, file, diskUuid }: Remains,
  { isNew }: { readonly isNew: boolean },
): string => {
  const all = parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));
  const mounts = all.filter(({ target, source }) => target.startsWith(folder) || source === device);
  const places = new Set(mounts.map(({ target }) => target));
  const top = ['staging', 'target', 'staged', 'used', 'shares'].map((name) => join(folder, name));
  const files = top
    .filter(existsSync)
    .flatMap((path) => [path, ...(places.has(path) || !lstatSync(path).isDirectory() ? [] : filesBelow(path, places))]);
  const disk: string[] = [];
  if (device !== '') {
    disk.push(`read-only ${readFileSync(`/sys/class/block/${basename(device)}/ro`, 'utf8').trim()}`);
    execFileSync('flock', ['--exclusive', '--nonblock', device, 'true']);
    execFileSync('blockdev', ['--flushbufs', device]);
    if (isNew && !mounts.some(({ source }) => source === device)) disk.push(usedBlocks(file));
  }
  const rows = mounts.map(({ root, target, options, fsType }) => [root, target, options.join(), fsType].join(' '));
  const text = [...rows, ...files, ...disk].join('\n');
  const names = { [folder]: 'FOLDER', [basename(device) || '?']: 'DISK', [diskUuid || '?']: 'UUID' };
  const replaced = Object.entries(names).reduce((left, [name, by]) => left.replaceAll(name, by), text);
  // Notes are called after the path they are about; how many earlier disks have one depends on who died before.
  return replaced
    .replace(/[0-9a-f]{32}\.json/g, 'NOTE.json')
    .replace(/.*6000c29\d{25}.*\n/g, '')
    .replace(/whole \d+/g, 'DATA');
};
