import type { Release } from '../../matrix.ts';

export const driverLabel = 'vdo.vmware.com/driver';
export const distributionLabel = 'vdo.vmware.com/distribution';
export const versionLabel = 'app.kubernetes.io/version';
/** On pod templates: a changed configuration rolls the pods. */
export const configHashAnnotation = 'vdo.vmware.com/config-hash';

/** Labels of everything that the operator makes. */
export const managedLabels = {
  'app.kubernetes.io/managed-by': 'vdo',
  'app.kubernetes.io/part-of': 'vdo',
} as const;

/** Labels of the objects of one driver; what runs is read back from them. */
export const driverLabels = ({ driver, distribution, version }: Release): Readonly<Record<string, string>> => ({
  ...managedLabels,
  [driverLabel]: driver,
  [distributionLabel]: distribution.toLowerCase(),
  // A label cannot hold the + of build metadata.
  [versionLabel]: version.replaceAll('+', '_'),
});
