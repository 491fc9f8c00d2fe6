import type { UpdatesSpec } from '@vdo/config/api/updates-spec';
import { parseDurationMs } from '@vdo/config/duration';

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const dayMs = 24 * 3_600_000;

export type WindowState = { readonly open: true } | { readonly open: false; readonly opensAt: Date };

/** Whether an upgrade may start now; if not, when the window opens next. All times are UTC. */
export const upgradeWindow = (window: UpdatesSpec['window'], now: Date): WindowState => {
  if (!window) return { open: true };
  const [hours = 0, minutes = 0] = window.start.split(':').map(Number);
  const lengthMs = parseDurationMs(window.duration) ?? 0;
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const startOn = (day: number): number => midnight + day * dayMs + hours * 3_600_000 + minutes * 60_000;
  const allowed = (start: number): boolean => {
    const name = dayNames[new Date(start).getUTCDay()];
    return window.days.length === 0 || (name !== undefined && window.days.includes(name));
  };
  // A window may extend past midnight, and once past the end of a week.
  const earlier = Math.min(7, Math.ceil(lengthMs / dayMs));
  const starts = Array.from({ length: earlier + 8 }, (_, index) => startOn(index - earlier)).filter(allowed);
  if (starts.some((start) => start <= now.getTime() && now.getTime() < start + lengthMs)) return { open: true };
  const next = starts.find((start) => start > now.getTime()) ?? startOn(7);
  return { open: false, opensAt: new Date(next) };
};
