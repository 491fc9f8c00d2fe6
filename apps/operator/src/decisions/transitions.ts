import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import type { Condition } from '@vdo/kube/types/object';

export interface TransitionEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

const bad: Readonly<Record<string, Condition['status']>> = { Degraded: 'True', Stalled: 'True' };
const isBad = ({ type, status }: Condition): boolean => status === (bad[type] ?? 'False');

// One event per cause: most causes show in Ready. These conditions change for causes that Ready does not show.
const sideStories = ['Degraded', 'PrivilegesSufficient', 'Upgradeable'];

const find = (conditions: readonly Condition[], type: string) => conditions.find((one) => one.type === type);
const isSame = (before: Condition | undefined, now: Condition): boolean =>
  before?.status === now.status && before.reason === now.reason;

/** The events for what changed since the last status: none if nothing changed its status or reason. */
export const decideEvents = (
  previous: readonly Condition[],
  current: readonly Condition[],
): readonly TransitionEvent[] => {
  const ready = find(current, 'Ready');
  if (!ready) return [];
  const warns = isBad(ready) && current.some(({ type, status }) => type === 'Degraded' && status === 'True');
  const main: readonly TransitionEvent[] = isSame(find(previous, 'Ready'), ready)
    ? []
    : [{ type: warns ? 'Warning' : 'Normal', reason: ready.reason, message: ready.message }];
  const reported = new Set([ready.reason, find(previous, 'Ready')?.reason]);
  const aside = sideStories.flatMap((type): readonly TransitionEvent[] => {
    const now = find(current, type);
    if (!now || !isBad(now) || reported.has(now.reason) || isSame(find(previous, type), now)) return [];
    reported.add(now.reason);
    return [{ type: 'Warning', reason: now.reason, message: now.message }];
  });
  return [...main, ...aside];
};

/** Announces releases that have become available and that the update policy does not install automatically. */
export const announceReleases = (
  before: VSphereDriversStatus | undefined,
  now: VSphereDriversStatus,
): readonly TransitionEvent[] =>
  (now.drivers ?? []).flatMap(({ kind, version, available }) => {
    const known = before?.drivers?.find((driver) => driver.kind === kind)?.available;
    if (available === undefined || available === known) return [];
    const message = `${kind} ${available} is available (running: ${version ?? 'none'}). spec.updates decides when it is installed.`;
    return [{ type: 'Normal', reason: 'ReleaseAvailable', message }];
  });
