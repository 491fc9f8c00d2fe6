import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type HttpRequest, type HttpResponse, httpResponse } from '@vdo/base/http';
import { serveHttp } from '@vdo/base/http-server';
import { tar } from '@vdo/vdoctl/shared/archive/tar';

export interface OciRegistry {
  /** `127.0.0.1:5000`. */
  readonly host: string;
  /** Puts an image for two architectures there; gives back its digest. */
  addImage(repository: string, tag: string): string;
  /** The digest of a tag or of itself; undefined if it is not there with everything it needs. */
  digestOf(repository: string, reference: string): string | undefined;
  /** Forgets all images. */
  clear(): void;
  close(): Promise<void>;
}

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

interface Manifest {
  readonly type: string;
  readonly bytes: Buffer;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const empty = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  httpResponse(status, '', { 'content-length': '0', ...headers });

/** What the OCI distribution specification asks of a registry that takes and gives images; all in memory, without TLS. */
export const startOciRegistry = async (): Promise<OciRegistry> => {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, Manifest>();
  const uploads = new Map<string, Buffer>();
  let uploadCount = 0;

  const keep = (repository: string, references: readonly string[], type: string, bytes: Buffer): Descriptor => {
    for (const reference of references) manifests.set(`${repository}@${reference}`, { type, bytes });
    return { mediaType: type, digest: digestOf(bytes), size: bytes.length };
  };
  const keepBlob = (mediaType: string, bytes: Buffer): Descriptor => {
    blobs.set(digestOf(bytes), bytes);
    return { mediaType, digest: digestOf(bytes), size: bytes.length };
  };
  const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));

  const addPlatform = (repository: string, tag: string, architecture: string) => {
    const files = tar([{ path: 'program', content: Buffer.from(`${repository}:${tag} ${architecture}`) }], {
      seconds: 0,
    });
    const layer = keepBlob(types.layer, gzipSync(files));
    const rootfs = { type: 'layers', diff_ids: [digestOf(files)] };
    const config = keepBlob(types.config, json({ architecture, os: 'linux', config: {}, rootfs }));
    const bytes = json({ schemaVersion: 2, mediaType: types.manifest, config, layers: [layer] });
    return { ...keep(repository, [digestOf(bytes)], types.manifest, bytes), platform: { architecture, os: 'linux' } };
  };

  const putUpload = (id: string, request: HttpRequest, repository: string): HttpResponse => {
    const bytes = Buffer.concat([uploads.get(id) ?? Buffer.alloc(0), Buffer.from(request.body ?? '')]);
    const digest = new URL(request.path, 'http://registry').searchParams.get('digest');
    const location = `/v2/${repository}/blobs/uploads/${id}`;
    if (digest === null) {
      uploads.set(id, bytes);
      return empty(202, { location, range: `0-${Math.max(0, bytes.length - 1)}`, 'docker-upload-uuid': id });
    }
    uploads.delete(id);
    if (digestOf(bytes) !== digest) return empty(400);
    blobs.set(digest, bytes);
    return empty(201, { location: `/v2/${repository}/blobs/${digest}`, 'docker-content-digest': digest });
  };

  const serveManifest = (request: HttpRequest, repository: string, reference: string): HttpResponse => {
    if (request.method === 'PUT') {
      const bytes = Buffer.from(request.body ?? '');
      const { digest } = keep(
        repository,
        [reference, digestOf(bytes)],
        request.headers['content-type'] ?? types.manifest,
        bytes,
      );
      return empty(201, { location: `/v2/${repository}/manifests/${digest}`, 'docker-content-digest': digest });
    }
    const found = manifests.get(`${repository}@${reference}`);
    return found ? give(request, found.bytes, found.type) : empty(404);
  };

  const give = ({ method }: HttpRequest, bytes: Buffer, type: string): HttpResponse =>
    httpResponse(200, method === 'HEAD' ? '' : bytes, {
      'content-type': type,
      'content-length': String(bytes.length),
      'docker-content-digest': digestOf(bytes),
    });

  const handler = async (request: HttpRequest): Promise<HttpResponse> => {
    const { pathname } = new URL(request.path, 'http://registry');
    if (pathname === '/v2/') return httpResponse(200, '{}', { 'docker-distribution-api-version': 'registry/2.0' });
    const [, repository = '', kind, rest = ''] =
      /^\/v2\/(.+)\/(manifests|blobs\/uploads|blobs)\/(.*)$/.exec(pathname) ?? [];
    if (kind === 'manifests') return serveManifest(request, repository, rest);
    if (kind === 'blobs/uploads' && request.method === 'POST') {
      uploadCount += 1;
      return putUpload(String(uploadCount), request, repository);
    }
    if (kind === 'blobs/uploads') return putUpload(rest, request, repository);
    const blob = blobs.get(rest);
    return blob ? give(request, blob, 'application/octet-stream') : empty(404);
  };

  const isWhole = (repository: string, { bytes }: Manifest): boolean => {
    const parsed = JSON.parse(bytes.toString()) as {
      readonly manifests?: readonly Descriptor[];
      readonly layers?: readonly Descriptor[];
      readonly config?: Descriptor;
    };
    const below = (parsed.manifests ?? []).map(({ digest }) => manifests.get(`${repository}@${digest}`));
    const needed = [...(parsed.layers ?? []), ...(parsed.config ? [parsed.config] : [])];
    return (
      below.every((one) => one !== undefined && isWhole(repository, one)) &&
      needed.every(({ digest }) => blobs.has(digest))
    );
  };

  const server = await serveHttp({
    handler,
    port: 0,
    limits: { bodyBytes: Number.POSITIVE_INFINITY, connections: 64 },
  });
  return {
    host: `127.0.0.1:${server.port}`,
    addImage: (repository, tag) => {
      const platforms = ['amd64', 'arm64'].map((architecture) => addPlatform(repository, tag, architecture));
      const bytes = json({ schemaVersion: 2, mediaType: types.index, manifests: platforms });
      return keep(repository, [tag, digestOf(bytes)], types.index, bytes).digest;
    },
    digestOf: (repository, reference) => {
      const found = manifests.get(`${repository}@${reference}`);
      return found && isWhole(repository, found) ? digestOf(found.bytes) : undefined;
    },
    clear: () => {
      blobs.clear();
      manifests.clear();
    },
    close: server.close,
  };
};
