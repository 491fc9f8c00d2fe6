import { offersFeature, type VCenterFeatureId } from '@vdo/config/vcenter-features';

/** The releases of vCenter that the simulator can be. */
export const simReleases = [
  '6.7.3',
  '7.0.0',
  '7.0.1',
  '7.0.2',
  '7.0.3',
  '8.0.0',
  '8.0.1',
  '8.0.2',
  '8.0.3',
  '9.0.0',
  '9.1.0',
] as const;

const newestTried = '8.0.3';

/**
 * What simulated vCenters are where a test does not say it: `VDO_SIM_RELEASE`, so that a whole suite can be run on each of them.
 * Default 8.0.3.
 */
export const simRelease = (): string => process.env['VDO_SIM_RELEASE'] ?? newestTried;

/** False for what the release lacks: a test of it is skipped then. */
export const simOffers = (feature: VCenterFeatureId): boolean => offersFeature(simRelease(), feature);
