import { labelKeys } from '@vdo/config/names';
import { managedByLabel } from '@vdo/kube/types/well-known';
import type { Release } from '../../matrix.ts';

export const driverLabel = labelKeys.driver;
export const distributionLabel = labelKeys.distribution;
export const versionLabel = labelKeys.version;
/** On pod templates: a changed configuration restarts the pods. */
export const configHashAnnotation = 'vdo.vmware.com/config-hash';

/** Labels of every object that the operator creates. */
export const managedLabels = {
  [managedByLabel]: 'vdo',
  [labelKeys.partOf]: 'vdo',
} as const;

/** Labels of the objects of one driver; the running release is read from them. */
export const driverLabels = ({ driver, distribution, version }: Release): Readonly<Record<string, string>> => ({
  ...managedLabels,
  [driverLabel]: driver,
  [distributionLabel]: distribution.toLowerCase(),
  // A label cannot contain the + of build metadata.
  [versionLabel]: version.replaceAll('+', '_'),
});
