import type { VdoError } from '@vdo/base/vdo-error';
import type { DriverKind } from '@vdo/releases/matrix';
import { compareReleases } from '@vdo/releases/versions';
import type { ComponentObservation, DriverObservation, ReadyCount } from '../observation.ts';

const sum = (counts: readonly ReadyCount[]): ReadyCount | undefined =>
  counts.length === 0
    ? undefined
    : counts.reduce((total, { desired, ready }) => ({ desired: total.desired + desired, ready: total.ready + ready }));

export const ofDriver = (components: readonly ComponentObservation[], driver: DriverKind) =>
  components.filter(({ component }) => (component === 'cpi' ? 'cpi' : 'csi') === driver);

/** During a change the version shown is the one that still runs somewhere. */
const oldest = (components: readonly ComponentObservation[]): ComponentObservation | undefined =>
  [...components].sort((a, b) =>
    a.version === undefined ? 1 : b.version === undefined ? -1 : compareReleases(a.version, b.version),
  )[0];

export interface DriverPlanView {
  readonly driver: DriverKind;
  readonly target?: string;
  readonly available?: string;
  readonly problem?: VdoError;
}

/** What users see of one driver, from its workloads. */
export const driverFrom = (
  components: readonly ComponentObservation[],
  { driver, target, available, problem }: DriverPlanView,
): DriverObservation => {
  const own = ofDriver(components, driver);
  const shown = oldest(own);
  const isNodeAgent = ({ component }: ComponentObservation) => component === 'csi-node';
  const controllers = sum(own.filter((one) => !isNodeAgent(one)).map(({ count }) => count));
  const nodes = sum(own.filter(isNodeAgent).map(({ count }) => count));
  return {
    kind: driver === 'cpi' ? 'CPI' : 'CSI',
    distribution: shown?.distribution ?? 'Native',
    ...(shown?.version ? { version: shown.version } : {}),
    ...(target !== undefined ? { target } : {}),
    ...(available !== undefined ? { available } : {}),
    ...(controllers ? { controllers } : {}),
    ...(nodes ? { nodes } : {}),
    rollingOut: own.some(({ settled, overdue }) => !settled && !overdue),
    ...(own.some(({ component, changing }) => component !== 'csi-node' && changing) ? { changing: true } : {}),
    ...(problem ? { problem } : {}),
  };
};
