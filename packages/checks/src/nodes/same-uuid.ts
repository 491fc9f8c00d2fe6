const bare = (uuid: string): string => uuid.toLowerCase().replace(/[^0-9a-f]/g, '');

/** Firmware may report the first three groups of a UUID with their bytes swapped. */
const swapped = (hex: string): string => {
  const byte = (index: number): string => hex.slice(index * 2, index * 2 + 2);
  return `${[3, 2, 1, 0, 5, 4, 7, 6].map(byte).join('')}${hex.slice(16)}`;
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
  if (left === right && left.length === 36) return true;
  const canonical = canonicalUuid(left);
  return canonical !== '' && canonical === canonicalUuid(right);
};
