import { offersFeature, type VCenterFeatureId } from '@vdo/config/vcenter-features';

/** The releases of vCenter that can be simulated. */
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
 * The release of simulated vCenters if a test does not set it: `VDO_SIM_RELEASE`, so that a whole suite can be run on each release;
 * 8.0.3 by default.
 */
export const simRelease = (): string => process.env['VDO_SIM_RELEASE'] ?? newestTried;

/** False if the release lacks the feature; its tests are then skipped. */
export const simOffers = (feature: VCenterFeatureId): boolean => offersFeature(simRelease(), feature);
