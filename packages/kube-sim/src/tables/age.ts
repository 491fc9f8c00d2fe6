/** A duration as `kubectl get` shows ages: the two largest units that still matter. */
const humanDuration = (durationMs: number): string => {
  const seconds = Math.floor(durationMs / 1_000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 120) return `${Math.max(0, seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return withRest(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 2_920 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
};

const withRest = (value: number, unit: string, rest: number, restUnit: string): string =>
  rest === 0 ? `${value}${unit}` : `${value}${unit}${rest}${restUnit}`;

/** The time since an RFC 3339 timestamp; `<unknown>` without one. */
export const ageSince = (time: unknown, nowMs: number): string => {
  const sinceMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(sinceMs) ? '<unknown>' : humanDuration(nowMs - sinceMs);
};
