import { VdoError } from '@vdo/base/vdo-error';
import { type Descriptor, digestOf, isManifest, manifestTypes, namedBy, type ReadBlob } from './image-blobs.ts';
import type { RegistrySession } from './registry-session.ts';

const damaged = (what: string): VdoError =>
  new VdoError({
    code: 'BundleInvalid',
    message: what,
    remedy: 'Copy the bundle or the folder again from its source, or create a new one.',
  });

const pathOf = (location: string): string => {
  const { pathname, search } = new URL(location, 'http://registry');
  return `${pathname}${search}`;
};

/**
 * Brings an image with all that it names into a repository, and tags it. Blobs that are there are not sent again, so that an interrupted
 * run goes on where it stopped; an image gets its name last, when it is whole.
 */
export const pushImage = async (
  { ask, repeat }: RegistrySession,
  image: Descriptor,
  {
    repository,
    tag,
    read,
    onBlob,
  }: {
    readonly repository: string;
    readonly tag: string;
    readonly read: ReadBlob;
    readonly onBlob: (size: number, isSent: boolean) => void;
  },
): Promise<void> => {
  const scope = `repository:${repository}:pull,push`;
  const at = `/v2/${repository}`;
  const contentOf = async ({ digest }: Descriptor): Promise<Uint8Array> => {
    const content = await read(digest);
    if (!content) throw damaged(`image ${repository}:${tag} lacks the blob ${digest}`);
    if (digestOf(content) !== digest) throw damaged(`image ${repository}:${tag}: the blob ${digest} was changed`);
    return content;
  };
  const pushBlob = async (blob: Descriptor): Promise<void> => {
    const what = `${repository} ${blob.digest.slice(0, 19)}`;
    const there = await ask({ method: 'HEAD', path: `${at}/blobs/${blob.digest}`, what, accept: [200, 404], scope });
    if (there.status === 200) return onBlob(blob.size, false);
    const body = await contentOf(blob);
    const begun = await ask({
      ...{ method: 'POST', path: `${at}/blobs/uploads/`, what, accept: [202], scope },
      headers: { 'content-length': '0' },
    });
    const target = pathOf(begun.headers['location'] ?? '');
    const path = `${target}${target.includes('?') ? '&' : '?'}digest=${encodeURIComponent(blob.digest)}`;
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(body.length) };
    await ask({ method: 'PUT', path, what, accept: [201], scope, headers, body });
    onBlob(blob.size, true);
  };
  const pushManifest = async (one: Descriptor, reference: string): Promise<void> => {
    const body = await contentOf(one);
    for (const below of namedBy(body)) {
      if (isManifest(below)) await pushManifest(below, below.digest);
      else await repeat(() => pushBlob(below));
    }
    const headers = { 'content-type': one.mediaType, 'content-length': String(body.length) };
    const what = `${repository}:${tag}`;
    const path = `${at}/manifests/${reference}`;
    await repeat(() => ask({ method: 'PUT', path, what, accept: [201, 202], scope, headers, body }));
  };
  await pushManifest(image, tag);
};

/** Fetches an image with all that it names from a registry; every blob is compared with its digest. */
export const pullImage = async (
  { ask, repeat }: RegistrySession,
  { repository, reference }: { readonly repository: string; readonly reference: string },
): Promise<{ readonly image: Descriptor; readonly blobs: ReadonlyMap<string, Uint8Array> }> => {
  const scope = `repository:${repository}:pull`;
  const blobs = new Map<string, Uint8Array>();
  const get = async (path: string, what: string) =>
    repeat(() =>
      ask({ ...{ method: 'GET', path, what, accept: [200], scope }, headers: { accept: manifestTypes.join(', ') } }),
    );
  const keep = (content: Uint8Array, digest: string): void => {
    if (digestOf(content) !== digest)
      throw new VdoError({
        code: 'RegistryRefused',
        message: `${repository}: the registry gave something else than ${digest}`,
        remedy: 'Do not use this registry; pull the images from another one.',
      });
    blobs.set(digest, content);
  };
  const pullManifest = async (path: string): Promise<Descriptor> => {
    const { body, headers } = await get(`/v2/${repository}/manifests/${path}`, `${repository}:${path}`);
    const digest = path.startsWith('sha256:') ? path : digestOf(body);
    keep(body, digest);
    for (const below of namedBy(body)) {
      if (blobs.has(below.digest)) continue;
      if (isManifest(below)) await pullManifest(below.digest);
      else
        keep(
          (await get(`/v2/${repository}/blobs/${below.digest}`, `${repository} ${below.digest}`)).body,
          below.digest,
        );
    }
    const declared: unknown = JSON.parse(body.toString('utf8')).mediaType;
    const mediaType = typeof declared === 'string' ? declared : (headers['content-type'] ?? manifestTypes[2]);
    return { mediaType, digest, size: body.length };
  };
  return { image: await pullManifest(reference), blobs };
};
