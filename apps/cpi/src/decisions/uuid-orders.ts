const swapBytes = (group: string): string => (group.match(/../g) ?? []).reverse().join('');

/**
 * The UUID as given and with the bytes of its first three groups swapped, lower case, without duplicates. SMBIOS before
 * 2.6 left the byte order open, so a guest may report either. Text that is no UUID is returned as it is.
 */
export const uuidOrders = (uuid: string): readonly string[] => {
  const given = uuid.trim().toLowerCase();
  const [a, b, c, ...rest] = given.split('-');
  if (!/^[0-9a-f-]{36}$/.test(given) || a === undefined || b === undefined || c === undefined || rest.length !== 2)
    return given === '' ? [] : [given];
  const swapped = [swapBytes(a), swapBytes(b), swapBytes(c), ...rest].join('-');
  return swapped === given ? [given] : [given, swapped];
};
