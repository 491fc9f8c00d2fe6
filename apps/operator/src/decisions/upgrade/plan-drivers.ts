import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { DriverKind, Matrix } from '@vdo/releases/matrix';
import { noHistory, type ReleaseHistory } from '@vdo/releases/release-history';
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
  readonly nowMs: number;
  readonly steadyMs: number;
  readonly watchingSinceMs: number;
  readonly upgradeable: 'True' | 'False' | 'Unknown' | undefined;
  /** Why no upgrade may start now. */
  readonly busy?: UpgradeHold;
}

/** What is decided for each wanted driver. */
export type DriverPlan = Readonly<Partial<Record<DriverKind, ReleaseDecision>>>;
/** What keeps a driver from being brought to any release: it stays as it is, and the other one is looked after. */
export type DriverFailures = Readonly<Partial<Record<DriverKind, VdoError>>>;

const waitsFor = (driver: DriverKind, other: DriverKind): UpgradeHold => ({
  reason: otherDriverFirst,
  message: `${driver.toUpperCase()} waits until ${other.toUpperCase()} has reached its release.`,
});

/**
 * One driver after the other: the cloud controller manager first, storage when it is healthy. Throws for a first installation that
 * would be half of one.
 */
export const planDrivers = (input: PlanInput): { readonly plan: DriverPlan; readonly failures: DriverFailures } => {
  const isInstalled = input.running.some(({ ours }) => ours);
  const failures: Partial<Record<DriverKind, VdoError>> = {};
  const decide = (driver: DriverKind, busy: UpgradeHold | undefined): ReleaseDecision | undefined => {
    const { busy: _, ...rest } = input;
    try {
      return decideRelease({
        ...rest,
        driver,
        running: ofDriver(input.running, driver),
        history: input.history[driver] ?? noHistory,
        ...(busy ? { busy } : {}),
      });
    } catch (error) {
      if (!isInstalled || !isVdoError(error)) throw error;
      failures[driver] = error;
      return undefined;
    }
  };
  // Of two that have begun, which a lost note lets happen, the cloud controller manager goes first: each would wait for the other.
  const csiMoves = input.spec.csi && input.history.csi?.target && !input.history.cpi?.target;
  const cpi = input.spec.cpi && decide('cpi', csiMoves ? waitsFor('cpi', 'csi') : input.busy);
  const cpiMoves = cpi?.history.target ?? failures.cpi;
  const csi = input.spec.csi && decide('csi', cpiMoves ? waitsFor('csi', 'cpi') : input.busy);
  return { plan: { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) }, failures };
};

/** What is to be remembered after the plan; drivers that are no longer wanted are forgotten. */
export const historyOf = (plan: DriverPlan, failures: DriverFailures, before: ReleaseHistory): ReleaseHistory => {
  const of = (driver: DriverKind) => plan[driver]?.history ?? (failures[driver] ? before[driver] : undefined);
  const [cpi, csi] = [of('cpi'), of('csi')];
  return { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
};
