import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TarEntry } from '../../tools/image/tar.ts';
import { createTempFolder } from './cleanup.ts';
import { imageArchive } from './oci-image.ts';
import { programFiles, withFolders } from './program-files.ts';
import { run } from './run.ts';

const imageTool = fileURLToPath(new URL('../../tools/image.mjs', import.meta.url));

/** What deploy/image/Containerfile installs beside Node, as far as block volumes need it. */
const systemPrograms = [
  ...['blkid', 'fsck', 'mkfs.ext4', 'fsck.ext4', 'resize2fs', 'mkfs.xfs', 'xfs_growfs', 'xfs_io', 'mount', 'umount'],
  ...['nsenter', 'timeout', 'dash', 'flock', 'blockdev', 'cmp', 'dd', 'od', 'stat', 'head', 'cat'],
];

const filesBelow = async (folder: string, as: string): Promise<readonly TarEntry[]> =>
  Promise.all(
    (await readdir(folder)).map(async (name) => ({
      path: join(as, name),
      content: await readFile(join(folder, name)),
      mode: 0o644,
    })),
  );

/**
 * The image of this repository as `npm run image` makes it, with Node and the programs of this machine in the place of
 * its base, which would have to come from a registry.
 */
export async function vdoImageArchive(name: string): Promise<Buffer> {
  const folder = await createTempFolder('vdo-image');
  try {
    await run(process.execPath, [imageTool, '--prepare', folder.path], { timeoutMs: 120_000 });
    const app = await filesBelow(folder.file('app'), 'app');
    const files: readonly TarEntry[] = [
      ...app,
      ...(await programFiles(['node', ...systemPrograms])),
      { path: 'etc/mke2fs.conf', content: await readFile('/etc/mke2fs.conf'), mode: 0o644 },
      { path: 'bin/sh', linkTo: '/usr/bin/dash' },
    ];
    const folders = ['dev', 'proc', 'sys', 'run', 'tmp'].map((path) => ({
      path,
      mode: path === 'tmp' ? 0o1777 : 0o755,
    }));
    return imageArchive({ name, files: [...folders, ...withFolders(files)], user: '65532:65532' });
  } finally {
    await folder.remove();
  }
}
