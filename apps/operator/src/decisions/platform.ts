import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { DriverKind } from '@vdo/releases/matrix';

export interface Platform {
  readonly kind: 'Kubernetes' | 'OpenShift';
  /** By which object one sees that the platform keeps the driver itself. */
  readonly managed: Readonly<Partial<Record<DriverKind, string>>>;
}

export const plainKubernetes: Platform = { kind: 'Kubernetes', managed: {} };

/** The spec without the drivers that the platform keeps itself: two managers of one driver would fight. */
export const standDown = (spec: VSphereDriversSpec, { managed }: Platform): VSphereDriversSpec => {
  const { cpi, csi, ...rest } = spec;
  return { ...rest, ...(cpi && !managed.cpi ? { cpi } : {}), ...(csi && !managed.csi ? { csi } : {}) };
};
