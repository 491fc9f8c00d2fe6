import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { DriverKind, Release } from '@vdo/releases/matrix';
import { upgradeWindow } from '@vdo/releases/upgrade-window';
import type { UpgradeHold } from '../../observation.ts';

export interface GateInput {
  readonly driver: DriverKind;
  readonly spec: VSphereDriversSpec;
  readonly nowMs: number;
  readonly upgradeable: 'True' | 'False' | 'Unknown' | undefined;
  readonly busy?: UpgradeHold;
}

const minorOf = (version: string): string => version.replace(/^v/, '').split('.').slice(0, 2).join('.');

/** Why the change to a release must wait, or undefined. A first installation waits for nothing, a rollback neither. */
export const standsAgainst = (
  { driver, spec, nowMs, upgradeable, busy }: GateInput,
  to: Release,
  from: Release | undefined,
): UpgradeHold | undefined => {
  const change = `${driver.toUpperCase()} ${from?.version ?? ''} to ${to.version}`;
  if (busy) return busy;
  if (!from) return undefined;
  const isSwitch = from.distribution !== to.distribution;
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
