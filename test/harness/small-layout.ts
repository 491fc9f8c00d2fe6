import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { imageOf, layerOf, layoutFiles } from '../../tools/image/oci.ts';

/** A folder in the OCI layout with small images of these names, for two architectures; gives back the digest of each. */
export const writeSmallLayout = async (
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const images = names.map((name) => {
    const platforms = ['amd64', 'arm64'].map((architecture) => ({
      architecture,
      layers: [layerOf('program', [{ path: 'program', content: Buffer.from(`${name} ${architecture}`), mode: 0o755 }])],
      config: {},
    }));
    return { name, ...imageOf(platforms, { created: '2026-01-01T00:00:00Z', annotations: {} }) };
  });
  const put = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  for (const { blobs } of images)
    for (const { digest, content } of blobs) await put(`blobs/${digest.replace(':', '/')}`, content);
  for (const [name, text] of Object.entries(layoutFiles(images))) await put(name, text);
  return new Map(images.map(({ name, descriptor }) => [name, descriptor.digest]));
};
