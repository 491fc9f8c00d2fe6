import { VdoError } from '@vdo/base/vdo-error';
import type { ImageRef, Release } from '../matrix.ts';

const hasHost = (repository: string): boolean => {
  const [first = ''] = repository.split('/');
  return repository.includes('/') && (/[.:]/.test(first) || first === 'localhost');
};

/** What the kubelet pulls: by digest where it is known; a mirror takes the place of the registry host. */
export const imageReference = ({ repository, tag, digest }: ImageRef, registry?: string): string => {
  const path =
    registry !== undefined && hasHost(repository) ? repository.slice(repository.indexOf('/') + 1) : repository;
  const place = registry === undefined ? path : `${registry.replace(/\/+$/, '')}/${path}`;
  return digest === undefined ? `${place}:${tag}` : `${place}@${digest}`;
};

/** The reference of an image that a release must name. */
export const releaseImage = (release: Release, name: string, registry?: string): string => {
  const image = release.images[name];
  if (image) return imageReference(image, registry);
  throw new VdoError({
    code: 'MatrixInvalid',
    message: `release ${release.distribution} ${release.driver} ${release.version} names no image ${name}; it has ${Object.keys(release.images).join(', ')}`,
    remedy: 'Publish a corrected compatibility matrix.',
  });
};
