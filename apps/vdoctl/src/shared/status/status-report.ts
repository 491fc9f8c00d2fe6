import { type HealthWord, healthOf } from '@vdo/config/api/health';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { DriverStatus, FailingCheck, VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';

/** The driver's volumes, as the cluster knows them. */
export interface VolumeCounts {
  readonly total: number;
  readonly bound: number;
  readonly failed: number;
}

/** Claims of the driver's StorageClasses that wait for a volume. */
export interface ClaimCounts {
  readonly pending: number;
  /** NAMESPACE/NAME of some, the oldest first. */
  readonly first: readonly string[];
}

/** What `vdoctl status -o json` prints. */
export interface StatusReport {
  readonly health: HealthWord;
  readonly reason: string;
  readonly server: string;
  readonly conditions: NonNullable<VSphereDriversStatus['conditions']>;
  readonly drivers: readonly DriverStatus[];
  readonly versions: NonNullable<VSphereDriversStatus['versions']>;
  readonly nodes: NonNullable<VSphereDriversStatus['nodes']> | null;
  readonly volumes: VolumeCounts | null;
  readonly claims: ClaimCounts | null;
  readonly checks: Omit<NonNullable<VSphereDriversStatus['checks']>, 'failing'> | null;
  readonly failing: readonly FailingCheck[];
}

const withoutFailing = (checks: VSphereDriversStatus['checks']): StatusReport['checks'] => {
  if (!checks) return null;
  const { failing: _, ...counts } = checks;
  return counts;
};

export const statusReport = (input: {
  readonly resource: VSphereDrivers | undefined;
  readonly server: string;
  readonly volumes: VolumeCounts | undefined;
  readonly claims?: ClaimCounts | undefined;
}): StatusReport => {
  const { word, reason } = healthOf(input.resource);
  const status = input.resource?.status;
  return {
    health: word,
    reason,
    server: input.server,
    conditions: status?.conditions ?? [],
    drivers: status?.drivers ?? [],
    versions: status?.versions ?? {},
    nodes: status?.nodes ?? null,
    volumes: input.volumes ?? null,
    claims: input.claims ?? null,
    checks: withoutFailing(status?.checks),
    failing: status?.checks?.failing ?? [],
  };
};
