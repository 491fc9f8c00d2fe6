const hexOf = (uuid: string): string => uuid.toLowerCase().replace(/[^0-9a-f]/g, '');

/** Lower case with hyphens, from any notation; undefined if it is no UUID. */
export const normalizeUuid = (uuid: string): string | undefined => {
  const hex = hexOf(uuid);
  if (hex.length !== 32) return undefined;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

const reversed = (group: string): string => (group.match(/../g) ?? []).reverse().join('');

/** The same UUID with the bytes of its first three groups reversed, as some firmware reports it to the guest. */
export const swapUuid = (uuid: string): string => {
  const [a = '', b = '', c = '', ...rest] = uuid.split('-');
  return [reversed(a), reversed(b), reversed(c), ...rest].join('-');
};

/** Both notations a guest's UUID may have in vCenter, without repetition; none if it is no UUID. */
export const uuidVariants = (uuid: string): readonly string[] => {
  const normal = normalizeUuid(uuid);
  return normal === undefined ? [] : [...new Set([normal, swapUuid(normal)])];
};
