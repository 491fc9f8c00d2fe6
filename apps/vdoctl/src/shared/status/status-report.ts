import { type HealthWord, healthOf, type LiveTrouble, withLive } from '@vdo/config/api/health';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { DriverStatus, FailingCheck, VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';

/** The volumes of the driver, according to the cluster. */
export interface VolumeCounts {
  readonly total: number;
  readonly bound: number;
  readonly failed: number;
  /** Their claims were deleted. */
  readonly released?: number;
  readonly available?: number;
}

/** Claims of the driver's StorageClasses without a volume. */
export interface ClaimCounts {
  readonly pending: number;
  /** NAMESPACE/NAME of some, the oldest first. */
  readonly first: readonly string[];
  /** Those that have waited too long to be normal. */
  readonly late?: number;
}

/** An active fault of the sandbox. */
export interface BrokenOnPurpose {
  readonly name: string;
  readonly reported: string;
}

/** Printed by `vdoctl status -o json`. */
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
  /** Only in a sandbox. */
  readonly broken?: readonly BrokenOnPurpose[];
}

const withoutFailing = (checks: VSphereDriversStatus['checks']): StatusReport['checks'] => {
  if (!checks) return null;
  const { failing: _, ...counts } = checks;
  return counts;
};

const plural = (count: number, one: string, several: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${several}`;

/** Problems of volumes that the cluster shows, whether or not a check has found them. */
const liveTrouble = (volumes: VolumeCounts | undefined, claims: ClaimCounts | undefined): LiveTrouble => {
  const failed = volumes?.failed ?? 0;
  const late = claims?.late ?? 0;
  const reasons = [
    ...(failed > 0
      ? [`${plural(failed, 'PersistentVolume has', 'PersistentVolumes have')} failed: vdoctl volumes`]
      : []),
    ...(late > 0
      ? [
          `${plural(late, 'claim has', 'claims have')} been waiting for a volume for more than two minutes: ${claims?.first.join(', ')}`,
        ]
      : []),
  ];
  return { fail: failed, warn: late, reason: reasons.join('; ') };
};

export const statusReport = (input: {
  readonly resource: VSphereDrivers | undefined;
  readonly server: string;
  readonly volumes: VolumeCounts | undefined;
  readonly claims?: ClaimCounts | undefined;
  readonly broken?: readonly BrokenOnPurpose[];
}): StatusReport => {
  const { word, reason } = withLive(healthOf(input.resource), liveTrouble(input.volumes, input.claims));
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
    ...(input.broken && input.broken.length > 0 ? { broken: input.broken } : {}),
  };
};
