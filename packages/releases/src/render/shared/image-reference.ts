import { withoutTrailing } from '@vdo/base/cut-text';
import { VdoError } from '@vdo/base/vdo-error';
import { hasHost, type ImageRef, type Release } from '../../matrix.ts';

/** What the kubelet pulls: by digest if known; a mirror replaces the registry host. */
export const imageReference = ({ repository, tag, digest }: ImageRef, registry?: string): string => {
  const path =
    registry !== undefined && hasHost(repository) ? repository.slice(repository.indexOf('/') + 1) : repository;
  const place = registry === undefined ? path : `${withoutTrailing(registry, '/')}/${path}`;
  return digest === undefined ? `${place}:${tag}` : `${place}@${digest}`;
};

const invalid = (release: Release, what: string): VdoError =>
  new VdoError({
    code: 'MatrixInvalid',
    message: `release ${release.distribution} ${release.driver} ${release.version} ${what}`,
    remedy: 'Publish a corrected compatibility matrix.',
  });

/** The reference of an image, or sidecar, that a release must name. */
export const releaseImage = (release: Release, name: string, registry?: string): string => {
  const all = { ...release.sidecars, ...release.images };
  const image = all[name];
  if (!image) throw invalid(release, `has no image ${name}, only ${Object.keys(all).join(', ')}`);
  // For a name without a registry, the container runtime uses its own default, which does not have the upstream images.
  if (release.distribution === 'Upstream' && registry === undefined && !hasHost(image.repository)) {
    throw new VdoError({
      code: 'ConfigInvalid',
      message: `image ${image.repository}:${image.tag} of upstream ${release.driver.toUpperCase()} ${release.version} has no registry in its name, and spec.images.registry is not set`,
      remedy: `Set spec.images.registry to the registry that has ${image.repository}, or use a compatibility matrix that sets registries.Upstream.`,
    });
  }
  return imageReference(image, registry);
};
