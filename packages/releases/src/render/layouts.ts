import type { Release } from '../matrix.ts';

/** Programs of this layout serve health and metrics on one port and exit at unknown flags. */
const firstNativeLayouts: readonly string[] = ['native-cpi-1', 'native-csi-1'];

/** The layouts this package renders. */
export const knownLayouts: readonly string[] = [
  ...firstNativeLayouts,
  'native-cpi-2',
  'native-csi-2',
  'native-csi-3',
  'upstream-cpi-1',
  'upstream-csi-1',
];

/**
 * Which image of a release the storage driver of the nodes runs from. The first two layouts have one image for everything; from the third
 * on, the tools for file systems are in an image of their own, unless the release names none: then the one has them, too.
 */
export const nodeImageOf = ({ layout, images }: Pick<Release, 'layout' | 'images'>): 'node' | 'vdo' =>
  layout === 'native-csi-3' && images['node'] !== undefined ? 'node' : 'vdo';

/** Whether the native programs of a release serve metrics separately from health, over TLS to authorized callers. */
export const servesMetricsApart = ({ layout }: { readonly layout: string }): boolean =>
  !firstNativeLayouts.includes(layout);
