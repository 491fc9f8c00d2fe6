import type { Distribution } from '@vdo/releases/matrix';
import { isReleaseVersion } from '@vdo/releases/versions';

/** The last path segments of the repositories of the upstream drivers, in old and new registries alike. */
const upstreamDrivers = [
  'driver',
  'csi-vsphere-driver',
  'syncer',
  'csi-vsphere-syncer',
  'manager',
  'cloud-provider-vsphere',
];

const split = (image: string): { readonly repository: string; readonly tag: string } => {
  const [reference = ''] = image.split('@');
  const colon = reference.lastIndexOf(':');
  const hasTag = colon > reference.lastIndexOf('/');
  return hasTag
    ? { repository: reference.slice(0, colon), tag: reference.slice(colon + 1) }
    : { repository: reference, tag: '' };
};

const versionOf = (tag: string): string | undefined => {
  const version = tag.replace(/^v/, '');
  return isReleaseVersion(version) ? version : undefined;
};

/** The release of a workload without our labels. An image that is pulled by digest alone has no version. */
export const versionFromImages = (
  images: readonly string[],
): { readonly distribution: Distribution; readonly version?: string } => {
  const parts = images.map(split);
  const native = parts.find(({ repository }) => /(^|\/)vdo$/.test(repository));
  const upstream = parts.find(({ repository }) => upstreamDrivers.includes(repository.split('/').at(-1) ?? ''));
  const version = versionOf((native ?? upstream)?.tag ?? '');
  return { distribution: native ? 'Native' : 'Upstream', ...(version ? { version } : {}) };
};
