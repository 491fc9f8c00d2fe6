import { readFile } from 'node:fs/promises';
import type { TarEntry } from '../../tools/image/tar.ts';
import { imageArchive } from './oci-image.ts';
import { run } from './run.ts';

export const busyboxImage = 'vdo.test/busybox:1';
export const pauseImage = 'vdo.test/pause:1';

const program = '/usr/bin/busybox';

const folders: readonly TarEntry[] = ['bin', 'dev', 'etc', 'proc', 'sys', 'tmp'].map((path) => ({
  path,
  mode: path === 'tmp' ? 0o1777 : 0o755,
}));

/** The files of a small Linux made of the machine's static busybox. */
export async function busyboxRoot(): Promise<readonly TarEntry[]> {
  const [content, applets] = await Promise.all([readFile(program), run(program, ['--list'])]);
  const links = applets
    .split('\n')
    .filter((name) => name !== '' && name !== 'busybox')
    .map((name) => ({ path: `bin/${name}`, linkTo: 'busybox' }));
  const users = { path: 'etc/passwd', content: Buffer.from('root:x:0:0:root:/:/bin/sh\n'), mode: 0o644 };
  return [...folders, { path: 'bin/busybox', content }, ...links, users];
}

/** Two small images: one with the commands of busybox, one that only waits, for pod sandboxes. */
export async function busyboxArchives(): Promise<readonly Buffer[]> {
  const files = await busyboxRoot();
  return [
    imageArchive({ name: busyboxImage, files }),
    imageArchive({ name: pauseImage, files, entrypoint: ['/bin/busybox', 'sleep', '2147483647'] }),
  ];
}
