import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import type { Release } from '@vdo/releases/matrix';

const driverRelease = (driver: 'cpi' | 'csi', version: string, change: Partial<Release> = {}): Release => ({
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
  versions.flatMap((version) => [driverRelease('cpi', version), driverRelease('csi', version)]);
/** `spec.updates` with the matrix that `publish` writes. */
export const fromConfigMap = { matrix: { configMap: { name: 'matrix' } } };

const upstreamReleases = (['cpi', 'csi'] as const).flatMap((driver) =>
  loadEmbeddedMatrix()
    .releases.filter((one) => one.distribution === 'Upstream' && one.driver === driver)
    .slice(0, 1)
    .map((one) => ({ ...one, kubernetes: { min: '1.28', max: '1.37' } })),
);
/** The same of the drivers of the Kubernetes project. */
export const bothUpstream = (...versions: readonly string[]): readonly Release[] =>
  versions.flatMap((version) => upstreamReleases.map((release) => ({ ...release, version })));
