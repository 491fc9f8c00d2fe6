import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { DriverKind, Matrix } from '@vdo/releases/matrix';
import { hasRun, noHistory, type ReleaseHistory, type ReleaseName } from '@vdo/releases/release-history';
import type { ComponentObservation, UpgradeHold } from '../../observation.ts';
import { ofDriver } from '../drivers.ts';
import { decideRelease, type ReleaseDecision } from './decide-release.ts';
import { otherDriverFirst } from './upgrade-gates.ts';

export interface PlanInput {
  readonly spec: VSphereDriversSpec;
  readonly generation: number;
  readonly matrix: Matrix;
  readonly kubernetesVersion: string;
  readonly vcenterVersions: readonly { readonly server: string; readonly version: string }[];
  readonly running: readonly ComponentObservation[];
  readonly history: ReleaseHistory;
  /** For drivers without workloads and without a record: the release of their remaining objects. */
  readonly left?: LeftReleases;
  readonly nowMs: number;
  readonly steadyMs: number;
  readonly watchingSinceMs: number;
  readonly upgradeable: 'True' | 'False' | 'Unknown' | undefined;
  /** Why no upgrade may start now. */
  readonly busy?: UpgradeHold;
  /** Why no switch of the distribution may begin. */
  readonly noSwitch?: UpgradeHold;
}

export type LeftReleases = Readonly<Partial<Record<DriverKind, ReleaseName>>>;
/** The decision for each driver in the spec. */
export type DriverPlan = Readonly<Partial<Record<DriverKind, ReleaseDecision>>>;
/** Why a driver cannot be brought to any release: it stays unchanged, and the other one is still managed. */
export type DriverFailures = Readonly<Partial<Record<DriverKind, VdoError>>>;

const waitsFor = (driver: DriverKind, other: DriverKind): UpgradeHold => ({
  reason: otherDriverFirst,
  message: `${driver.toUpperCase()} waits until the change of ${other.toUpperCase()} is complete.`,
});

const cannotFollow = (driver: DriverKind, { code }: VdoError): UpgradeHold => ({
  reason: code,
  message: `The distribution is not switched because ${driver.toUpperCase()} cannot be switched with it: see condition Degraded.`,
});

interface Holds {
  readonly busy?: UpgradeHold | undefined;
  /** Why the other driver could not be switched with this one. */
  readonly follows?: UpgradeHold | undefined;
}

/**
 * One driver after the other: the cloud controller manager first, then storage once that is healthy. Throws for a first installation that
 * could install only one of the two.
 */
export const planDrivers = (input: PlanInput): { readonly plan: DriverPlan; readonly failures: DriverFailures } => {
  const isInstalled = input.running.some(({ ours }) => ours) || hasRun(input.history);
  const failures: Partial<Record<DriverKind, VdoError>> = {};
  const attempt = (driver: DriverKind, holds: Holds): ReleaseDecision | VdoError => {
    const { busy: _, left: { [driver]: left } = {}, noSwitch, ...rest } = input;
    const { busy, follows } = holds;
    const unable = noSwitch ?? follows;
    try {
      return decideRelease({
        ...rest,
        driver,
        running: ofDriver(input.running, driver),
        history: input.history[driver] ?? noHistory,
        ...(left ? { left } : {}),
        ...(busy ? { busy } : {}),
        ...(unable ? { noSwitch: unable } : {}),
      });
    } catch (error) {
      if (!isInstalled || !isVdoError(error)) throw error;
      return error;
    }
  };
  const decide = (driver: DriverKind, holds: Holds): ReleaseDecision | undefined => {
    const decided = attempt(driver, holds);
    if (!isVdoError(decided)) return decided;
    failures[driver] = decided;
    return undefined;
  };
  /** Why a driver stays in its distribution, so that the other one stays there too. */
  const staysBehind = (
    driver: DriverKind,
    decided: ReleaseDecision | VdoError | undefined,
  ): UpgradeHold | undefined => {
    const problem = isVdoError(decided) ? decided : decided?.problem;
    const isBehind = ofDriver(input.running, driver).some(
      ({ ours, distribution }) => ours && distribution !== input.spec.distribution,
    );
    return problem && isBehind ? cannotFollow(driver, problem) : undefined;
  };
  // If both have begun, possible after a lost record, the cloud controller manager goes first: else each would wait for the other.
  const csiMoves = input.spec.csi && input.history.csi?.target && !input.history.cpi?.target;
  const wanted = input.spec;
  // Whether storage could follow, not whether it may now: that it waits for the other one is no reason against the switch.
  const storage = isInstalled && wanted.csi ? attempt('csi', {}) : undefined;
  const cpi =
    wanted.cpi &&
    decide('cpi', { busy: csiMoves ? waitsFor('cpi', 'csi') : input.busy, follows: staysBehind('csi', storage) });
  const cpiMoves = cpi?.history.target ?? failures.cpi;
  const csi =
    wanted.csi &&
    decide('csi', { busy: cpiMoves ? waitsFor('csi', 'cpi') : input.busy, follows: staysBehind('cpi', cpi) });
  return { plan: { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) }, failures };
};

/** The records to keep after the plan; drivers that are no longer in the spec are dropped. */
export const historyOf = (plan: DriverPlan, failures: DriverFailures, before: ReleaseHistory): ReleaseHistory => {
  const of = (driver: DriverKind) => plan[driver]?.history ?? (failures[driver] ? before[driver] : undefined);
  const [cpi, csi] = [of('cpi'), of('csi')];
  return { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
};
