import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { signMatrix } from '@vdo/releases/matrix-signature';
import type { TempFolder } from './cleanup.ts';
import type { OciRegistry } from './oci-registry.ts';

type Image = { readonly repository: string; readonly tag: string };

/** The matrix of the project, with the digests of images that the source has. Its names carry no registry, so that `--from` counts. */
const placeImages = (source: OciRegistry) => {
  const placed = <T extends Image>({ repository: named, ...image }: T) => {
    const repository = named.replace(/^registry\.k8s\.io\//, '');
    return { ...image, repository, digest: source.addImage(repository, image.tag) };
  };
  const eachPlaced = (images: Readonly<Record<string, Image>> = {}) =>
    Object.fromEntries(Object.entries(images).map(([name, image]) => [name, placed(image)]));
  const { registries: _, ...matrix } = loadEmbeddedMatrix();
  return {
    ...matrix,
    releases: matrix.releases.map((release) => ({
      ...release,
      images: eachPlaced(release.images),
      ...(release.sidecars ? { sidecars: eachPlaced(release.sidecars) } : {}),
    })),
  };
};

/** Puts the images of the matrix into the source, and the matrix, signed, into the folder; gives back the flags that name it. */
export const publishPlacedMatrix = async (source: OciRegistry, folder: TempFolder): Promise<readonly string[]> => {
  const text = JSON.stringify(placeImages(source));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await writeFile(folder.file('publisher.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(folder.file('matrix.json'), text);
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeFile(folder.file('matrix.json.sig'), signMatrix(text, [key]));
  return ['--matrix', folder.file('matrix.json'), '--trust', folder.file('publisher.pem')];
};
