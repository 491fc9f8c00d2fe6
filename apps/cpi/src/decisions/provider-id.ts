import { names } from '@vdo/config/names';

const prefix = names.providerIdPrefix;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `vsphere://<lower-case BIOS UUID>`, as every vSphere cloud provider writes it. */
export const providerIdOf = (uuid: string): string => `${prefix}${uuid.trim().toLowerCase()}`;

export type ParsedProviderId =
  | { readonly kind: 'none' }
  | { readonly kind: 'vsphere'; readonly uuid: string }
  /** Set by another provider (`k3s://…`, `aws://…`), or `vsphere://` without a UUID. */
  | { readonly kind: 'foreign'; readonly providerId: string };

/** Reads a Node's providerID. A bare UUID counts as vSphere's, because the in-tree provider wrote it in this form. */
export const parseProviderId = (providerId: string | undefined): ParsedProviderId => {
  const text = (providerId ?? '').trim();
  if (text === '') return { kind: 'none' };
  const uuid = (text.startsWith(prefix) ? text.slice(prefix.length) : text).trim().toLowerCase();
  return uuidPattern.test(uuid) ? { kind: 'vsphere', uuid } : { kind: 'foreign', providerId: text };
};
