import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';

const unserved = ({ csi, cni, topology }: VSphereDriversSpec): readonly string[] => [
  ...(csi?.sidecars === 'Upstream' ? ['csi.sidecars: Upstream'] : []),
  ...(csi?.snapshots?.install ? ['csi.snapshots.install'] : []),
  ...(csi?.snapshots && csi.snapshots.classes.length > 0 ? ['csi.snapshots.classes'] : []),
  // Nobody puts these labels on the nodes yet; region and zone are put there by the cloud controller manager.
  ...(topology && topology.categories.length > 0 ? ['topology.categories'] : []),
  ...(cni?.manifest ? ['cni.manifest'] : []),
];

/** Refuses settings that this version would silently leave out. */
export const requireServed = (spec: VSphereDriversSpec): void => {
  const fields = unserved(spec);
  if (fields.length === 0) return;
  throw new VdoError({
    code: 'ConfigInvalid',
    message: `this operator does not act on ${fields.map((field) => `spec.${field}`).join(', ')} yet`,
    remedy: `Remove ${fields.map((field) => `spec.${field.split(':')[0]}`).join(', ')} from the VSphereDrivers resource, or upgrade the operator.`,
  });
};
