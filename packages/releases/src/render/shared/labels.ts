import { labelKeys } from '@vdo/config/names';
import { managedByLabel } from '@vdo/kube/types/well-known';
import type { Release } from '../../matrix.ts';

export const driverLabel = labelKeys.driver;
export const distributionLabel = labelKeys.distribution;
export const versionLabel = labelKeys.version;
/** On pod templates: a changed configuration rolls the pods. */
export const configHashAnnotation = 'vdo.vmware.com/config-hash';

/** Labels of everything that the operator makes. */
export const managedLabels = {
  [managedByLabel]: 'vdo',
  [labelKeys.partOf]: 'vdo',
} as const;

/** Labels of the objects of one driver; what runs is read back from them. */
export const driverLabels = ({ driver, distribution, version }: Release): Readonly<Record<string, string>> => ({
  ...managedLabels,
  [driverLabel]: driver,
  [distributionLabel]: distribution.toLowerCase(),
  // A label cannot hold the + of build metadata.
  [versionLabel]: version.replaceAll('+', '_'),
});
