import { spawnSync } from 'node:child_process';
import type { TarEntry } from './tar.ts';
import { untarAll } from './untar.ts';

export interface Deb {
  /** What the package says of itself: name, version, what it depends on. */
  readonly control: string;
  /** Checksums of its files, as scanners read them. */
  readonly md5sums: string;
  readonly entries: readonly TarEntry[];
}

const headerBytes = 60;

/** The members of an `ar` archive by name. */
const membersOf = (archive: Buffer): ReadonlyMap<string, Buffer> => {
  if (archive.subarray(0, 8).toString('latin1') !== '!<arch>\n') throw new Error('this is no Debian package');
  const members = new Map<string, Buffer>();
  for (let at = 8; at + headerBytes <= archive.length; ) {
    const head = archive.subarray(at, at + headerBytes).toString('latin1');
    const size = Number(head.slice(48, 58));
    members.set(
      head.slice(0, 16).trim().replace(/\/$/, ''),
      archive.subarray(at + headerBytes, at + headerBytes + size),
    );
    at += headerBytes + size + (size % 2);
  }
  return members;
};

const unpack = (members: ReadonlyMap<string, Buffer>, name: string): readonly TarEntry[] => {
  const packed = members.get(`${name}.tar.xz`);
  if (!packed) throw new Error(`the package has no ${name}.tar.xz, only ${[...members.keys()].join(', ')}`);
  const { status, stdout, stderr, error } = spawnSync('xz', ['-dc'], { input: packed, maxBuffer: 1 << 30 });
  if (error || status !== 0) throw new Error(`xz cannot unpack it: ${error?.message ?? stderr.toString()}`);
  return untarAll(stdout);
};

/** What is in a package of Debian. Nothing of it is run. Needs the program `xz`. */
export const readDeb = (archive: Buffer): Deb => {
  const members = membersOf(archive);
  const information = unpack(members, 'control');
  const textOf = (path: string): string =>
    Buffer.from(information.find((entry) => entry.path === path)?.content ?? '').toString('utf8');
  return { control: textOf('control'), md5sums: textOf('md5sums'), entries: unpack(members, 'data') };
};
