import { VdoError } from '@vdo/base/vdo-error';
import type { DriverKind } from '@vdo/releases/matrix';
import { noHistory, type ReleaseHistory } from '@vdo/releases/release-history';
import type { ComponentObservation } from '../../observation.ts';
import { ofDriver } from '../drivers.ts';
import type { DriverPlan } from './plan-drivers.ts';

const kinds: readonly DriverKind[] = ['cpi', 'csi'];

/** Whether a driver of ours runs and none of its workloads has been switched to the distribution yet. */
const isElsewhere = (running: readonly ComponentObservation[], driver: DriverKind, distribution: string): boolean => {
  const own = ofDriver(running, driver).filter(({ ours }) => ours);
  return own.length > 0 && own.every((one) => one.distribution !== distribution);
};

/** Whether the plan would start a switch of the distribution. A switch that has begun is completed, or rolled back by its health gate. */
export const beginsSwitch = (plan: DriverPlan, running: readonly ComponentObservation[]): boolean =>
  kinds.some((driver) => {
    const target = plan[driver]?.history.target;
    return target !== undefined && !target.rollback && isElsewhere(running, driver, target.distribution);
  });

/** The history without switches that were recorded but of which nothing was applied. */
export const withoutUnbegun = (history: ReleaseHistory, running: readonly ComponentObservation[]): ReleaseHistory =>
  Object.fromEntries(
    kinds.flatMap((driver) => {
      const { target, ...known } = history[driver] ?? noHistory;
      if (!history[driver]) return [];
      const isUnbegun = target && !target.rollback && isElsewhere(running, driver, target.distribution);
      return [[driver, target && !isUnbegun ? { ...known, target } : known]];
    }),
  );

/** Why a switch has not started, and that the current drivers keep running. */
export const switchRefused = (distribution: string, { code, message, remedy, retry, details }: VdoError): VdoError =>
  new VdoError({
    code,
    message: `the switch to distribution ${distribution} has not started, and the current drivers keep running: ${message}`,
    remedy,
    retry,
    details,
  });
