import { createHash } from 'node:crypto';
import { z } from 'zod';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const descriptor = z.object({ mediaType: z.string(), digest, size: z.int().min(0) });
const indexSchema = z.object({ manifests: z.array(descriptor) });
const manifestSchema = z.object({ config: descriptor, layers: z.array(descriptor) });

export type Descriptor = z.infer<typeof descriptor>;

/** Reads a blob by its digest; undefined if there is none. */
export type ReadBlob = (digest: string) => Promise<Uint8Array | undefined>;

export const digestOf = (content: Uint8Array): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** Kinds of documents that name others, in what registries of today and of yesterday call them. */
export const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
] as const;
export const isManifest = ({ mediaType }: Pick<Descriptor, 'mediaType'>): boolean =>
  (manifestTypes as readonly string[]).includes(mediaType);

/** What a manifest, or an index of manifests, names. Throws if it is neither. */
export const namedBy = (content: Uint8Array): readonly Descriptor[] => {
  const document: unknown = JSON.parse(Buffer.from(content).toString('utf8'));
  const index = indexSchema.safeParse(document);
  if (index.success) return index.data.manifests;
  const { config, layers } = manifestSchema.parse(document);
  return [config, ...layers];
};

const layoutSchema = z.object({
  manifests: z.array(descriptor.extend({ annotations: z.record(z.string(), z.string()).optional() })),
});
const nameKey = 'org.opencontainers.image.ref.name';

/** The images of an OCI layout by their names. */
export const imagesOfLayout = (indexText: string): ReadonlyMap<string, Descriptor> => {
  const { manifests } = layoutSchema.parse(JSON.parse(indexText));
  return new Map(
    manifests.flatMap(({ annotations, ...one }) => {
      const name = annotations?.[nameKey];
      return name === undefined ? [] : [[name, one] as const];
    }),
  );
};

/** The index of an OCI layout with these images. */
export const layoutIndex = (images: readonly (readonly [name: string, Descriptor])[]): string =>
  JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestTypes[0],
    manifests: images.map(([name, one]) => ({ ...one, annotations: { [nameKey]: name } })),
  });
