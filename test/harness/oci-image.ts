import { createHash } from 'node:crypto';
import { type TarEntry, tarOf } from '../../tools/image/tar.ts';

/** What an image holds and starts. */
export interface ImageOptions {
  /** `vdo.test/busybox:1`. */
  readonly name: string;
  readonly files: readonly TarEntry[];
  readonly entrypoint?: readonly string[];
  /** Whom its programs run as. Default: root. */
  readonly user?: string;
}

const goArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const oci = (kind: string): string => `application/vnd.oci.image.${kind}`;

const blobOf = (content: Buffer) => {
  const hash = createHash('sha256').update(content).digest('hex');
  return {
    entry: { path: `blobs/sha256/${hash}`, content, mode: 0o644 },
    digest: `sha256:${hash}`,
    size: content.length,
  };
};
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** An image as an archive in the OCI layout, which container runtimes import without a registry. */
export function imageArchive({ name, files, entrypoint = [], user = '' }: ImageOptions): Buffer {
  const platform = { os: 'linux', architecture: goArchitectures[process.arch] ?? process.arch };
  const layer = blobOf(tarOf(files));
  const config = blobOf(
    json({
      ...platform,
      config: { Env: ['PATH=/usr/sbin:/usr/bin:/sbin:/bin'], Entrypoint: entrypoint, User: user },
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    }),
  );
  const describe = (kind: string, { digest, size }: { digest: string; size: number }) => ({
    mediaType: oci(kind),
    digest,
    size,
  });
  const manifest = blobOf(
    json({
      schemaVersion: 2,
      mediaType: oci('manifest.v1+json'),
      config: describe('config.v1+json', config),
      layers: [describe('layer.v1.tar', layer)],
    }),
  );
  const annotations = { 'io.containerd.image.name': name };
  const index = {
    schemaVersion: 2,
    mediaType: oci('index.v1+json'),
    manifests: [{ ...describe('manifest.v1+json', manifest), platform, annotations }],
  };
  const layout = { path: 'oci-layout', content: json({ imageLayoutVersion: '1.0.0' }), mode: 0o644 };
  const blobs = [layer, config, manifest].map(({ entry }) => entry);
  return tarOf([layout, { path: 'index.json', content: json(index), mode: 0o644 }, ...blobs]);
}
