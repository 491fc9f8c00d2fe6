import { withoutTrailing } from '@vdo/base/cut-text';
import {
  type Descriptor,
  digestOf,
  imagesOfLayout,
  isManifest,
  layoutIndex,
  namedBy,
} from '../../shared/registry/image-blobs.ts';
import type { BundleImage } from './images.ts';

export const layoutIndexPath = 'images/index.json';
const layoutMarkPath = 'images/oci-layout';
const blobFolder = 'images/blobs/sha256/';

export const blobPathOf = (digest: string): string => `${blobFolder}${digest.slice('sha256:'.length)}`;
const digestIn = (path: string): string => `sha256:${path.slice(blobFolder.length)}`;
export const isBlobPath = (path: string): boolean => path.startsWith(blobFolder);

/** The name of an image in the bundle: that in the mirror without the registry. */
export const nameInBundle = ({ mirror }: Pick<BundleImage, 'mirror'>, registry: string): string =>
  mirror.slice(withoutTrailing(registry, '/').length + 1);

/** The files of a bundle that say which images are in it, beside their blobs. */
export const layoutTexts = (images: readonly (readonly [name: string, Descriptor])[]) => [
  { path: layoutIndexPath, text: layoutIndex(images) },
  { path: layoutMarkPath, text: JSON.stringify({ imageLayoutVersion: '1.0.0' }) },
];

type Blobs = ReadonlyMap<string, Uint8Array>;

/** What an image names and is not there, or is not what its name says; and all that it names. */
const walk = (
  image: Descriptor,
  blobs: Blobs,
): { readonly problems: readonly string[]; readonly seen: readonly string[] } => {
  const content = blobs.get(blobPathOf(image.digest));
  if (!content) return { problems: [`${blobPathOf(image.digest)} is missing`], seen: [] };
  if (!isManifest(image)) return { problems: [], seen: [image.digest] };
  try {
    const below = namedBy(content).map((one) => walk(one, blobs));
    return {
      problems: below.flatMap(({ problems }) => problems),
      seen: [image.digest, ...below.flatMap(({ seen }) => seen)],
    };
  } catch {
    return { problems: [`${blobPathOf(image.digest)} is no manifest of an image`], seen: [image.digest] };
  }
};

/** What is wrong with the images that a bundle carries; empty if it carries none, or all of its index, whole. */
export const carriedProblems = (
  layoutText: string | undefined,
  blobs: Blobs,
  wanted: readonly string[],
): readonly string[] => {
  const changed = [...blobs]
    .filter(([path, content]) => digestOf(content) !== digestIn(path))
    .map(([path]) => `${path} was changed: its checksum differs from its name`);
  if (layoutText === undefined) return [...changed, ...[...blobs.keys()].map((path) => `${path} belongs to no image`)];
  let images: ReadonlyMap<string, Descriptor>;
  try {
    images = imagesOfLayout(layoutText);
  } catch {
    return [...changed, `${layoutIndexPath} is no index of images`];
  }
  const walked = [...images.values()].map((image) => walk(image, blobs));
  const seen = new Set(walked.flatMap((one) => one.seen.map(blobPathOf)));
  return [
    ...changed,
    ...wanted.filter((name) => !images.has(name)).map((name) => `${layoutIndexPath} lacks the image ${name}`),
    ...new Set(walked.flatMap(({ problems }) => problems)),
    ...[...blobs.keys()].filter((path) => !seen.has(path)).map((path) => `${path} belongs to no image`),
  ];
};
