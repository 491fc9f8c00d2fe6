import { readFile } from 'node:fs/promises';
import { imageArchive } from './oci-image.ts';
import { run } from './run.ts';
import type { TarEntry } from './tar.ts';

export const busyboxImage = 'vdo.test/busybox:1';
export const pauseImage = 'vdo.test/pause:1';

const program = '/usr/bin/busybox';

/** Two small images made of the machine's static busybox: one with its commands, one that only waits, for pod sandboxes. */
export async function busyboxArchives(): Promise<readonly Buffer[]> {
  const [content, applets] = await Promise.all([readFile(program), run(program, ['--list'])]);
  const folders: TarEntry[] = ['bin', 'dev', 'etc', 'proc', 'sys', 'tmp'].map((path) => ({
    path,
    mode: path === 'tmp' ? 0o1777 : 0o755,
  }));
  const busybox = { path: 'bin/busybox', content };
  const links = applets
    .split('\n')
    .filter((name) => name !== '' && name !== 'busybox')
    .map((name) => ({ path: `bin/${name}`, linkTo: 'busybox' }));
  const users = { path: 'etc/passwd', content: Buffer.from('root:x:0:0:root:/:/bin/sh\n'), mode: 0o644 };
  return [
    imageArchive({ name: busyboxImage, files: [...folders, busybox, ...links, users] }),
    imageArchive({
      name: pauseImage,
      files: [...folders, busybox],
      entrypoint: ['/bin/busybox', 'sleep', '2147483647'],
    }),
  ];
}
