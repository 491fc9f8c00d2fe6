import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { DriverKind, Matrix, Release } from '@vdo/releases/matrix';
import { pickRelease } from '@vdo/releases/pick-release';
import { knownLayouts } from '@vdo/releases/render/names';
import type { DriverObservation } from './observation.ts';

/** The release of each wanted driver. */
export interface DriverPlan {
  readonly cpi?: Release;
  readonly csi?: Release;
}

export interface PlanInput {
  readonly spec: VSphereDriversSpec;
  readonly matrix: Matrix;
  readonly kubernetesVersion: string;
  readonly vcenterVersions: readonly { readonly server: string; readonly version: string }[];
  /** What runs now. */
  readonly drivers: readonly DriverObservation[];
}

/** Picks a release for each driver the spec asks for. Throws NoCompatibleRelease with the reasons against each release. */
export const planDrivers = (input: PlanInput): DriverPlan => {
  const { spec, matrix, kubernetesVersion, vcenterVersions } = input;
  const pick = (driver: DriverKind): Release => {
    const running = input.drivers.find(
      ({ kind, distribution }) => kind === driver.toUpperCase() && distribution === spec.distribution,
    );
    const wanted = spec.updates.versions?.[driver];
    return pickRelease({
      matrix,
      driver,
      distribution: spec.distribution,
      kubernetesVersion,
      vcenterVersions,
      layouts: knownLayouts,
      policy: spec.updates.policy,
      ...(wanted === undefined ? {} : { wanted }),
      ...(running?.version === undefined ? {} : { installed: running.version }),
    }).release;
  };
  return { ...(spec.cpi ? { cpi: pick('cpi') } : {}), ...(spec.csi ? { csi: pick('csi') } : {}) };
};
