/** Programs of this layout serve health and metrics on one port and exit at unknown flags. */
const firstNativeLayouts: readonly string[] = ['native-cpi-1', 'native-csi-1'];

/** The layouts this package renders. */
export const knownLayouts: readonly string[] = [
  ...firstNativeLayouts,
  'native-cpi-2',
  'native-csi-2',
  'upstream-cpi-1',
  'upstream-csi-1',
];

/** Whether the native programs of a release serve metrics separately from health, over TLS to authorized callers. */
export const servesMetricsApart = ({ layout }: { readonly layout: string }): boolean =>
  !firstNativeLayouts.includes(layout);
