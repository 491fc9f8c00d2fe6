/** The layouts this package renders. */
export const knownLayouts: readonly string[] = ['native-cpi-1', 'native-csi-1', 'upstream-cpi-1', 'upstream-csi-1'];
