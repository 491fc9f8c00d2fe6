import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { DriverKind, Matrix } from '@vdo/releases/matrix';
import { noHistory, type ReleaseHistory } from '@vdo/releases/release-history';
import type { ComponentObservation, UpgradeHold } from '../../observation.ts';
import { ofDriver } from '../drivers.ts';
import { decideRelease, type ReleaseDecision } from './decide-release.ts';

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

const waitsFor = (driver: DriverKind, other: DriverKind): UpgradeHold => ({
  reason: 'WaitsForOtherDriver',
  message: `${driver.toUpperCase()} waits until ${other.toUpperCase()} has reached its release.`,
});

/** One driver after the other: the cloud controller manager first, storage when it is healthy. */
export const planDrivers = (input: PlanInput): DriverPlan => {
  const decide = (driver: DriverKind, busy: UpgradeHold | undefined): ReleaseDecision => {
    const { busy: _, ...rest } = input;
    return decideRelease({
      ...rest,
      driver,
      running: ofDriver(input.running, driver),
      history: input.history[driver] ?? noHistory,
      ...(busy ? { busy } : {}),
    });
  };
  const csiMoves = input.spec.csi && input.history.csi?.target;
  const cpi = input.spec.cpi && decide('cpi', input.busy ?? (csiMoves ? waitsFor('cpi', 'csi') : undefined));
  const csi = input.spec.csi && decide('csi', input.busy ?? (cpi?.history.target ? waitsFor('csi', 'cpi') : undefined));
  return { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
};

/** What is to be remembered after the plan; drivers that are no longer wanted are forgotten. */
export const historyOf = (plan: DriverPlan): ReleaseHistory => ({
  ...(plan.cpi ? { cpi: plan.cpi.history } : {}),
  ...(plan.csi ? { csi: plan.csi.history } : {}),
});
