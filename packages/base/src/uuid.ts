/** Lower case with hyphens, from any notation; undefined if the text is not a UUID. */
export const normalizeUuid = (uuid: string): string | undefined => {
  const hex = uuid.toLowerCase().replace(/[^0-9a-f]/g, '');
  if (hex.length !== 32) return undefined;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

const reversed = (group: string): string => (group.match(/../g) ?? []).reverse().join('');

/** The same UUID with the bytes of its first three groups reversed. */
export const swapUuid = (uuid: string): string => {
  const [a = '', b = '', c = '', ...rest] = uuid.split('-');
  return [reversed(a), reversed(b), reversed(c), ...rest].join('-');
};

/**
 * The UUID as given and with the bytes of its first three groups swapped, without repetition; none if the text is not a UUID. SMBIOS before 2.6
 * left the byte order open, so a guest may report either.
 */
export const uuidOrders = (uuid: string): readonly string[] => {
  const normal = normalizeUuid(uuid);
  return normal === undefined ? [] : [...new Set([normal, swapUuid(normal)])];
};

/** The same text for both byte orders and all notations of a UUID; empty if the text is not a UUID. */
export const canonicalUuid = (uuid: string): string => [...uuidOrders(uuid)].sort()[0] ?? '';

/** True if two UUIDs name the same machine, in either byte order and any notation. */
export const sameUuid = (left: string, right: string): boolean => {
  // Most are equal as written, and there may be thousands.
  if (left === right && left.length === 36) return true;
  const canonical = canonicalUuid(left);
  return canonical !== '' && canonical === canonicalUuid(right);
};
