import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import { hasHost } from '@vdo/releases/matrix';
import type { CliContext } from '../../cli/context.ts';
import { pullImage } from '../../shared/registry/copy-image.ts';
import { type Descriptor, imagesOfLayout, isManifest, namedBy } from '../../shared/registry/image-blobs.ts';
import { openRegistry, type RegistryFlags } from '../../shared/registry/open-registry.ts';
import type { BundleImage } from './images.ts';

export interface GatherFlags extends RegistryFlags {
  /** Folders in the OCI layout. */
  readonly images: readonly string[];
  readonly pull?: boolean;
}

interface Gathered {
  readonly images: readonly (readonly [BundleImage, Descriptor])[];
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

interface Layout {
  readonly folder: string;
  readonly images: ReadonlyMap<string, Descriptor>;
}

const openLayout = async (folder: string): Promise<Layout> => {
  try {
    return { folder, images: imagesOfLayout(await readFile(join(folder, 'index.json'), 'utf8')) };
  } catch (cause) {
    throw new VdoError({
      code: 'ConfigMissing',
      message: `${folder} is no folder of images in the OCI layout: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: 'Pass a folder that npm run image or skopeo copy oci:FOLDER wrote.',
      cause,
    });
  }
};

/** An image of a layout by its name, whatever registry that begins with. */
const findIn = (layouts: readonly Layout[], { repository, tag, digest }: BundleImage) => {
  const wanted = `${repository}:${tag}`;
  return layouts
    .flatMap(({ folder, images }) => [...images].map(([name, image]) => ({ folder, name, image })))
    .find(
      ({ name, image }) =>
        (name === wanted || name.endsWith(`/${wanted}`)) && (digest === null || digest === image.digest),
    );
};

const readLayoutImage = async (folder: string, image: Descriptor, into: Map<string, Uint8Array>): Promise<void> => {
  if (into.has(image.digest)) return;
  const content = await readFile(join(folder, 'blobs', image.digest.replace(':', '/')));
  into.set(image.digest, content);
  if (isManifest(image)) for (const below of namedBy(content)) await readLayoutImage(folder, below, into);
};

const missing = ({ repository, tag, digest }: BundleImage, flags: GatherFlags): VdoError => {
  const known = flags.images.length === 0 ? '' : ` in ${flags.images.join(', ')}`;
  return new VdoError({
    code: 'InvalidArgument',
    message: `image ${repository}:${tag}${digest === null ? '' : ` (${digest})`} was not found${known}`,
    remedy: hasHost(repository)
      ? 'Add --pull to fetch it from its registry, or --images with a folder in the OCI layout that has it.'
      : 'Pass --images with a folder in the OCI layout that has it (npm run image makes one), or --pull with --vdo-from or --from.',
  });
};

/** Every image of a bundle with its blobs: from the folders, or else from the registries. */
export const gatherImages = async (
  context: CliContext,
  images: readonly BundleImage[],
  { flags, sourceOf }: { readonly flags: GatherFlags; readonly sourceOf: (image: BundleImage) => string | undefined },
): Promise<Gathered> => {
  const layouts = await Promise.all(flags.images.map(openLayout));
  const blobs = new Map<string, Uint8Array>();
  const found: (readonly [BundleImage, Descriptor])[] = [];
  for (const image of images) {
    const local = findIn(layouts, image);
    if (local) {
      await readLayoutImage(local.folder, local.image, blobs);
      found.push([image, local.image]);
      continue;
    }
    const source = flags.pull ? sourceOf(image) : undefined;
    if (source === undefined) throw missing(image, flags);
    context.terminal.err(`Pulling ${source}:${image.tag}\n`);
    const { session, path } = await openRegistry(context, source, flags);
    const pulled = await pullImage(session, { repository: path, reference: image.digest ?? image.tag });
    for (const [digest, content] of pulled.blobs) blobs.set(digest, content);
    found.push([image, pulled.image]);
  }
  return { images: found, blobs };
};
