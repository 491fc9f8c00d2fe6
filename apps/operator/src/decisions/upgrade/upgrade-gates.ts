import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { type DriverKind, expiryOf, type Matrix, type Release } from '@vdo/releases/matrix';
import { type ReleaseName, sameRelease } from '@vdo/releases/release-history';
import { upgradeWindow } from '@vdo/releases/upgrade-window';
import { compareReleases } from '@vdo/releases/versions';
import type { UpgradeHold } from '../../observation.ts';

export interface GateInput {
  readonly driver: DriverKind;
  readonly spec: VSphereDriversSpec;
  readonly matrix: Pick<Matrix, 'notAfter' | 'releases'>;
  readonly nowMs: number;
  readonly upgradeable: 'True' | 'False' | 'Unknown' | undefined;
  readonly busy?: UpgradeHold;
  /** Why no switch of the distribution may begin. */
  readonly noSwitch?: UpgradeHold;
}

/** Why a driver waits while the other one changes. */
export const otherDriverFirst = 'WaitsForOtherDriver';

const minorOf = (version: string): string => version.replace(/^v/, '').split('.').slice(0, 2).join('.');

/**
 * Whether the change is an escape from the running release: the spec names an older one, or the matrix has withdrawn it and an older one is
 * left. Neither failing checks, a closed window nor an outage may delay that.
 */
const isFlight = ({ driver, spec, matrix }: GateInput, to: Release, from: ReleaseName | undefined): boolean => {
  if (from?.distribution !== to.distribution || compareReleases(to.version, from.version) >= 0) return false;
  const listed = matrix.releases.find((one) => one.driver === driver && sameRelease(one, from));
  return spec.updates.policy !== 'Automatic' || listed?.bad !== undefined;
};

/** Why the change to a release must wait, or undefined. A first installation or a rollback never waits. */
export const upgradeHold = (input: GateInput, to: Release, from: ReleaseName | undefined): UpgradeHold | undefined => {
  const { driver, spec, matrix, nowMs, upgradeable, busy, noSwitch } = input;
  if (isFlight(input, to, from)) return busy?.reason === otherDriverFirst ? busy : undefined;
  const change = `${driver.toUpperCase()} ${from?.version ?? ''} to ${to.version}`;
  if (busy) return busy;
  if (!from) return undefined;
  const isSwitch = from.distribution !== to.distribution;
  if (isSwitch && noSwitch) return noSwitch;
  const isNewer = !isSwitch && compareReleases(to.version, from.version) > 0;
  const expiresMs = expiryOf(matrix);
  if (isNewer && expiresMs !== undefined && nowMs >= expiresMs) {
    const message = `${change} waits for a newer compatibility matrix: the current one expired at ${matrix.notAfter}. The running release is kept and repaired.`;
    return { reason: 'MatrixExpired', message };
  }
  const window = upgradeWindow(spec.updates.window, new Date(nowMs));
  if (spec.updates.policy === 'Automatic' && !isSwitch && !window.open) {
    const message = `${change} waits for the maintenance window, which opens at ${window.opensAt.toISOString()}.`;
    return { reason: 'OutsideWindow', message, untilMs: window.opensAt.getTime() };
  }
  if (isSwitch || minorOf(from.version) === minorOf(to.version)) return undefined;
  if (upgradeable === undefined)
    return { reason: 'ChecksPending', message: `${change} waits until the checks have run.` };
  if (upgradeable !== 'False') return undefined;
  return {
    reason: 'UpgradeBlocked',
    message: `${change} waits until the failing checks that vdoctl status shows are fixed; patch releases do not wait.`,
  };
};
