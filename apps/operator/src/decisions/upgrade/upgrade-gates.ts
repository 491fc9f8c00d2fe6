import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { type DriverKind, expiryOf, type Matrix, type Release } from '@vdo/releases/matrix';
import { upgradeWindow } from '@vdo/releases/upgrade-window';
import { compareReleases } from '@vdo/releases/versions';
import type { UpgradeHold } from '../../observation.ts';

export interface GateInput {
  readonly driver: DriverKind;
  readonly spec: VSphereDriversSpec;
  readonly matrix: Pick<Matrix, 'notAfter'>;
  readonly nowMs: number;
  readonly upgradeable: 'True' | 'False' | 'Unknown' | undefined;
  readonly busy?: UpgradeHold;
  /** Why no switch of the distribution may begin. */
  readonly noSwitch?: UpgradeHold;
}

/** Why a driver waits while the other one changes. */
export const otherDriverFirst = 'WaitsForOtherDriver';

const minorOf = (version: string): string => version.replace(/^v/, '').split('.').slice(0, 2).join('.');

/** Why the change to a release must wait, or undefined. A first installation waits for nothing, a rollback neither. */
export const standsAgainst = (
  { driver, spec, matrix, nowMs, upgradeable, busy, noSwitch }: GateInput,
  to: Release,
  from: Release | undefined,
): UpgradeHold | undefined => {
  // Who goes back by name flees from what the newer release does: neither its failing checks nor an outage may hold them.
  const goesBack =
    from?.distribution === to.distribution &&
    compareReleases(to.version, from.version) < 0 &&
    spec.updates.policy !== 'Automatic';
  if (goesBack) return busy?.reason === otherDriverFirst ? busy : undefined;
  const change = `${driver.toUpperCase()} ${from?.version ?? ''} to ${to.version}`;
  if (busy) return busy;
  if (!from) return undefined;
  const isSwitch = from.distribution !== to.distribution;
  if (isSwitch && noSwitch) return noSwitch;
  const isNewer = !isSwitch && compareReleases(to.version, from.version) > 0;
  const expiresMs = expiryOf(matrix);
  if (isNewer && expiresMs !== undefined && nowMs >= expiresMs) {
    const message = `${change} waits for a newer compatibility matrix: the one in use is good until ${matrix.notAfter}. What runs is kept and repaired.`;
    return { reason: 'MatrixExpired', message };
  }
  const window = upgradeWindow(spec.updates.window, new Date(nowMs));
  if (spec.updates.policy === 'Automatic' && !isSwitch && !window.open) {
    const message = `${change} waits for the window, which opens at ${window.opensAt.toISOString()}.`;
    return { reason: 'OutsideWindow', message, untilMs: window.opensAt.getTime() };
  }
  if (isSwitch || minorOf(from.version) === minorOf(to.version)) return undefined;
  if (upgradeable === undefined)
    return { reason: 'ChecksPending', message: `${change} waits until the checks have run.` };
  if (upgradeable !== 'False') return undefined;
  return {
    reason: 'UpgradeBlocked',
    message: `${change} waits until the failing checks in status.checks are solved; patch releases do not wait.`,
  };
};
