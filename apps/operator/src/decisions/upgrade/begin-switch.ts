import { VdoError } from '@vdo/base/vdo-error';
import type { DriverKind } from '@vdo/releases/matrix';
import { noHistory, type ReleaseHistory } from '@vdo/releases/release-history';
import type { ComponentObservation } from '../../observation.ts';
import { ofDriver } from '../drivers.ts';
import type { DriverPlan } from './plan-drivers.ts';

const kinds: readonly DriverKind[] = ['cpi', 'csi'];

/** Whether a driver of ours runs and nothing of it has reached the distribution yet. */
const isElsewhere = (running: readonly ComponentObservation[], driver: DriverKind, distribution: string): boolean => {
  const own = ofDriver(running, driver).filter(({ ours }) => ours);
  return own.length > 0 && own.every((one) => one.distribution !== distribution);
};

/** Whether the plan would change the first object of a switch of the distribution. What has begun is finished, or taken back by its gate. */
export const beginsSwitch = (plan: DriverPlan, running: readonly ComponentObservation[]): boolean =>
  kinds.some((driver) => {
    const target = plan[driver]?.history.target;
    return target !== undefined && !target.rollback && isElsewhere(running, driver, target.distribution);
  });

/** The history without switches that were noted and of which nothing was applied. */
export const withoutUnbegun = (history: ReleaseHistory, running: readonly ComponentObservation[]): ReleaseHistory =>
  Object.fromEntries(
    kinds.flatMap((driver) => {
      const { target, ...known } = history[driver] ?? noHistory;
      if (!history[driver]) return [];
      const isUnbegun = target && !target.rollback && isElsewhere(running, driver, target.distribution);
      return [[driver, target && !isUnbegun ? { ...known, target } : known]];
    }),
  );

/** What keeps a switch from being begun, in words that say what goes on meanwhile. */
export const switchRefused = (distribution: string, { code, message, remedy, retry, details }: VdoError): VdoError =>
  new VdoError({
    code,
    message: `the switch to distribution ${distribution} is not begun, and the drivers that run go on: ${message}`,
    remedy,
    retry,
    details,
  });
