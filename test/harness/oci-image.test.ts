import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { imageArchive } from './oci-image.ts';

const text = (block: Buffer, from: number, to: number): string =>
  block.subarray(from, to).toString('latin1').replace(/\0.*$/s, '').trim();

/** Reads a tar archive, and checks the sum of each header as tar(1) does. */
const readTar = (archive: Buffer): Map<string, { content: Buffer; linkTo: string; type: string }> => {
  const found = new Map<string, { content: Buffer; linkTo: string; type: string }>();
  for (let at = 0; archive[at] !== 0; ) {
    const header = Buffer.from(archive.subarray(at, at + 512));
    const stated = Number.parseInt(text(header, 148, 156), 8);
    header.fill(' ', 148, 156);
    expect(header.reduce((sum, byte) => sum + byte, 0)).toBe(stated);
    const size = Number.parseInt(text(header, 124, 136), 8);
    const content = archive.subarray(at + 512, at + 512 + size);
    found.set(text(header, 0, 100), { content, linkTo: text(header, 157, 257), type: text(header, 156, 157) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
};

it('writes an image whose parts are found by the digests of their content', () => {
  const program = Buffer.alloc(700, 'x');
  const files = [{ path: 'bin' }, { path: 'bin/sh', content: program }, { path: 'bin/ls', linkTo: 'sh' }];
  const archive = readTar(imageArchive({ name: 'vdo.test/a:1', files, entrypoint: ['/bin/sh'] }));
  const blob = (digest: string): Buffer => {
    const found = archive.get(`blobs/${digest.replace(':', '/')}`)?.content ?? Buffer.alloc(0);
    expect(`sha256:${createHash('sha256').update(found).digest('hex')}`).toBe(digest);
    return found;
  };
  const index = JSON.parse(archive.get('index.json')?.content.toString() ?? '');
  expect(index.manifests[0].annotations['io.containerd.image.name']).toBe('vdo.test/a:1');
  const manifest = JSON.parse(blob(index.manifests[0].digest).toString());
  const config = JSON.parse(blob(manifest.config.digest).toString());
  expect(config.config.Entrypoint).toEqual(['/bin/sh']);
  expect(config.rootfs.diff_ids).toEqual([manifest.layers[0].digest]);
  const layer = readTar(blob(manifest.layers[0].digest));
  expect(layer.get('bin/sh')?.content.equals(program)).toBe(true);
  expect(layer.get('bin/ls')).toMatchObject({ linkTo: 'sh', type: '2' });
  expect(layer.get('bin')?.type).toBe('5');
});
