import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { DriverKind } from '@vdo/releases/matrix';

export interface Platform {
  readonly kind: 'Kubernetes' | 'OpenShift';
  /** The object that shows that the platform manages the driver itself. */
  readonly managed: Readonly<Partial<Record<DriverKind, string>>>;
}

export const plainKubernetes: Platform = { kind: 'Kubernetes', managed: {} };

/** The spec without the drivers that the platform manages itself: two managers of one driver would overwrite each other. */
export const standDown = (spec: VSphereDriversSpec, { managed }: Platform): VSphereDriversSpec => {
  const { cpi, csi, ...rest } = spec;
  return { ...rest, ...(cpi && !managed.cpi ? { cpi } : {}), ...(csi && !managed.csi ? { csi } : {}) };
};
