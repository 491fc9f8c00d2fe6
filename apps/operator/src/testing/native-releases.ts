import type { DriverKind, Release } from '@vdo/releases/matrix';

/** A release as the matrix of this repository would list it. */
export const nativeRelease = (driver: DriverKind, version: string, change: Partial<Release> = {}): Release => ({
  driver,
  distribution: 'Native',
  version,
  kubernetes: { min: '1.28', max: '1.37' },
  vsphere: { min: '6.7.3', max: '9.0' },
  layout: `native-${driver}-1`,
  images: { vdo: { repository: 'vdo/vdo', tag: version } },
  ...change,
});

/** CPI and CSI of each version. */
export const both = (...versions: readonly string[]): readonly Release[] =>
  versions.flatMap((version) => [nativeRelease('cpi', version), nativeRelease('csi', version)]);
