import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type TarEntry, tarOf } from './tar.ts';

/** A blob of an OCI layout. */
export interface Blob {
  readonly digest: string;
  readonly content: Buffer;
}

export interface Layer extends Blob {
  /** Of the archive before it is packed. */
  readonly diffId: string;
  readonly what: string;
}

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface PlatformImage {
  readonly architecture: string;
  readonly layers: readonly Layer[];
  /** `Env`, `Cmd`, `User`, `Labels` and the like. */
  readonly config: Readonly<Record<string, unknown>>;
}

const oci = (kind: string): string => `application/vnd.oci.image.${kind}`;
const sha256 = (content: Uint8Array): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

export const blobOf = (content: Buffer): Blob => ({ digest: sha256(content), content });
const json = (value: unknown): Blob => blobOf(Buffer.from(JSON.stringify(value)));

/** Nothing of the time or of the machine is in it. Level 9 would take twice as long and save half a percent. */
export const layerOf = (what: string, entries: readonly TarEntry[]): Layer => {
  const archive = tarOf(entries);
  return { what, diffId: sha256(archive), ...blobOf(gzipSync(archive, { level: 6 })) };
};

const describe = (kind: string, { digest, content }: Blob): Descriptor => ({
  mediaType: oci(kind),
  digest,
  size: content.length,
});

interface Built {
  readonly descriptor: Descriptor;
  readonly blobs: readonly Blob[];
}

const platformImage = ({ architecture, layers, config }: PlatformImage, created: string): Built => {
  const platform = { os: 'linux', architecture };
  const settings = json({
    created,
    ...platform,
    config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ what }) => ({ created, created_by: what })),
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: oci('manifest.v1+json'),
    config: describe('config.v1+json', settings),
    layers: layers.map((layer) => describe('layer.v1.tar+gzip', layer)),
  });
  return {
    descriptor: { ...describe('manifest.v1+json', manifest), platform },
    blobs: [...layers, settings, manifest],
  };
};

/** One image for several architectures: its index, and every blob that it needs. */
export const imageOf = (
  platforms: readonly PlatformImage[],
  { created, annotations }: { readonly created: string; readonly annotations: Readonly<Record<string, string>> },
): Built => {
  const built = platforms.map((platform) => platformImage(platform, created));
  const index = json({
    schemaVersion: 2,
    mediaType: oci('index.v1+json'),
    manifests: built.map(({ descriptor }) => descriptor),
    annotations,
  });
  return { descriptor: describe('index.v1+json', index), blobs: [...built.flatMap(({ blobs }) => blobs), index] };
};

/** The files of an OCI layout that holds these images by their names, without the blobs. */
export const layoutFiles = (
  images: readonly { readonly name: string; readonly descriptor: Descriptor }[],
): Readonly<Record<string, string>> => ({
  'oci-layout': JSON.stringify({ imageLayoutVersion: '1.0.0' }),
  'index.json': JSON.stringify({
    schemaVersion: 2,
    mediaType: oci('index.v1+json'),
    manifests: images.map(({ name, descriptor }) => ({
      ...descriptor,
      annotations: { 'org.opencontainers.image.ref.name': name, 'io.containerd.image.name': name },
    })),
  }),
});
