import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTempFolder } from './cleanup.ts';
import { imageArchive } from './oci-image.ts';
import { run } from './run.ts';
import type { TarEntry } from './tar.ts';

const imageTool = fileURLToPath(new URL('../../tools/image.mjs', import.meta.url));

/** What deploy/image/Containerfile installs beside Node, as far as block volumes need it. */
const systemPrograms = [
  ...['blkid', 'fsck', 'mkfs.ext4', 'fsck.ext4', 'resize2fs', 'mkfs.xfs', 'xfs_growfs', 'xfs_io', 'mount', 'umount'],
  ...['nsenter', 'timeout', 'dash'],
];
const searched = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];

const locate = (program: string): string => {
  const found = searched.map((folder) => join(folder, program)).find(existsSync);
  if (found === undefined) throw new Error(`${program} is not installed: it is in none of ${searched.join(', ')}`);
  return found;
};

/** The libraries that the loader would load for a program. */
const librariesOf = async (path: string): Promise<readonly string[]> =>
  [...(await run('ldd', [path])).matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library);

const filesBelow = async (folder: string, as: string): Promise<readonly TarEntry[]> =>
  Promise.all(
    (await readdir(folder)).map(async (name) => ({
      path: join(as, name),
      content: await readFile(join(folder, name)),
      mode: 0o644,
    })),
  );

const parentsOf = (path: string): readonly string[] =>
  path.includes('/') ? [...parentsOf(dirname(path)), dirname(path)] : [];

/**
 * The image of this repository as `npm run image` makes it, with Node and the programs of this machine in the place of
 * its base, which would have to come from a registry.
 */
export async function vdoImageArchive(name: string): Promise<Buffer> {
  const folder = await createTempFolder('vdo-image');
  try {
    await run(process.execPath, [imageTool, '--prepare', folder.path], { timeoutMs: 120_000 });
    const app = await filesBelow(folder.file('app'), 'app');
    const programs = [
      { from: process.execPath, to: 'usr/bin/node' },
      ...systemPrograms.map((program) => ({ from: locate(program), to: `usr/bin/${program}` })),
    ];
    const libraries = new Set((await Promise.all(programs.map(({ from }) => librariesOf(from)))).flat());
    const copied = [...programs, ...[...libraries].map((path) => ({ from: path, to: path.slice(1) }))];
    const files: readonly TarEntry[] = [
      ...app,
      ...(await Promise.all(copied.map(async ({ from, to }) => ({ path: to, content: await readFile(from) })))),
      { path: 'etc/mke2fs.conf', content: await readFile('/etc/mke2fs.conf'), mode: 0o644 },
      { path: 'bin/sh', linkTo: '/usr/bin/dash' },
    ];
    const folders = new Set([...files.flatMap(({ path }) => parentsOf(path)), 'dev', 'proc', 'sys', 'run', 'tmp']);
    const made = [...folders].map((path): TarEntry => ({ path, mode: path === 'tmp' ? 0o1777 : 0o755 }));
    return imageArchive({ name, files: [...made, ...files], user: '65532:65532' });
  } finally {
    await folder.remove();
  }
}
