import { type Architecture, isKept, layers } from './contents.ts';
import type { Deb } from './deb.ts';
import { isElf, withoutSections } from './elf.ts';
import type { TarEntry } from './tar.ts';

/** The folders that Debian has had in /usr since they were merged, and the links that stand for them. */
const merged = /^(bin|sbin|lib|lib32|lib64|libx32)(?=\/|$)/;
const mergedLinks = ['bin', 'sbin', 'lib', 'lib64'];

const file = (path: string, text: string | Uint8Array, mode = 0o644): TarEntry => ({
  path,
  content: Buffer.from(text),
  mode,
});
const link = (path: string, linkTo: string): TarEntry => ({ path, linkTo, mode: 0o777 });
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

/** Pods run as 65532 unless they say otherwise. */
const users = [
  file(
    'etc/passwd',
    lines(
      'root:x:0:0:root:/:/bin/sh',
      'nobody:x:65534:65534:nobody:/nonexistent:/bin/false',
      'nonroot:x:65532:65532:nonroot:/tmp:/bin/false',
    ),
  ),
  file('etc/group', lines('root:x:0:', 'tty:x:5:', 'disk:x:6:', 'nogroup:x:65534:', 'nonroot:x:65532:')),
  file('etc/nsswitch.conf', lines('passwd: files', 'group: files', 'hosts: files dns', 'services: files')),
];

const mountPoints = ['dev', 'proc', 'run', 'sys', 'tmp', 'var/tmp'];
const folders = mountPoints.map((path) => ({ path, mode: path.endsWith('tmp') ? 0o1777 : 0o755 }));

const skeleton: readonly TarEntry[] = [
  ...folders,
  ...mergedLinks.map((path) => link(path, `usr/${path}`)),
  link('var/run', '/run'),
  // Programs of file systems look there for what is mounted.
  link('etc/mtab', '../proc/self/mounts'),
  ...users,
];

/** All certificates of the package as one file, as update-ca-certificates would write it. */
const certificates = (entries: readonly TarEntry[]): readonly TarEntry[] => {
  const all = entries.filter(({ path }) => /^usr\/share\/ca-certificates\/.*\.crt$/.test(path));
  if (all.length === 0) return [];
  const sorted = all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return [
    file('etc/ssl/certs/ca-certificates.crt', Buffer.concat(sorted.map(({ content }) => content ?? Buffer.alloc(0)))),
  ];
};

/** Scanners read these when there is no database of dpkg. */
const noteOf = (name: string, { control, md5sums }: Deb): readonly TarEntry[] => [
  file(`var/lib/dpkg/status.d/${name}`, `${control.trimEnd()}\nStatus: install ok installed\n`),
  ...(md5sums === '' ? [] : [file(`var/lib/dpkg/status.d/${name}.md5sums`, md5sums)]),
];

const parentsOf = (path: string): readonly string[] => {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? [] : [...parentsOf(path.slice(0, slash)), path.slice(0, slash)];
};

/** In one order, folders before what is in them. A path that occurs twice is as it was first. */
export const inOrder = (entries: readonly TarEntry[]): readonly TarEntry[] => {
  const byPath = new Map<string, TarEntry>();
  for (const entry of entries) if (!byPath.has(entry.path)) byPath.set(entry.path, entry);
  for (const path of [...byPath.keys()])
    for (const parent of parentsOf(path)) if (!byPath.has(parent)) byPath.set(parent, { path: parent });
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
};

const slim = (entry: TarEntry): TarEntry => {
  const { content } = entry;
  return content && isElf(content) ? { ...entry, content: withoutSections(Buffer.from(content)) } : entry;
};

/** What the packages of a layer put into an image. `read` gives a package for the architecture. */
export const packageLayer = (
  layer: keyof typeof layers,
  architecture: Architecture,
  read: (name: string, architecture: Architecture) => Deb,
): readonly TarEntry[] => {
  const own = layers[layer].flatMap((wanted) => {
    const deb = read(wanted.name, architecture);
    const kept = deb.entries
      .map((entry) => ({ ...entry, path: entry.path.replace(merged, 'usr/$1') }))
      .filter((entry) => (entry.content ?? entry.linkTo) !== undefined && isKept(entry.path, wanted));
    return [...kept.map(slim), ...noteOf(wanted.name, deb)];
  });
  return inOrder([...(layer === 'base' ? [...skeleton, ...certificates(own)] : []), ...own]);
};

/** Node, from its package of npm. */
export const nodeLayer = (entries: readonly TarEntry[]): readonly TarEntry[] => {
  const take = (path: string): Buffer => {
    const found = entries.find((entry) => entry.path === `package/${path}`)?.content;
    if (!found) throw new Error(`the package of Node has no ${path}`);
    return Buffer.from(found);
  };
  return inOrder([
    file('usr/bin/node', withoutSections(take('bin/node')), 0o755),
    file('usr/share/doc/node/copyright', take('LICENSE')),
  ]);
};
