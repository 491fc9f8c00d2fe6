const bare = (uuid: string): string => uuid.toLowerCase().replace(/[^0-9a-f]/g, '');

/** Firmware may report the first three groups of a UUID with their bytes swapped. */
const swapped = (hex: string): string => {
  const reverse = (group: string): string => (group.match(/../g) ?? []).reverse().join('');
  return reverse(hex.slice(0, 8)) + reverse(hex.slice(8, 12)) + reverse(hex.slice(12, 16)) + hex.slice(16);
};

/** The same text for both byte orders and all notations of a UUID; empty if it is none. */
export const canonicalUuid = (uuid: string): string => {
  const hex = bare(uuid);
  if (hex.length !== 32) return '';
  const other = swapped(hex);
  return hex < other ? hex : other;
};

/** True if two UUIDs name the same machine, in either byte order and any notation. */
export const sameUuid = (left: string, right: string): boolean => {
  const canonical = canonicalUuid(left);
  return canonical !== '' && canonical === canonicalUuid(right);
};
