/** How long ago, as kubectl writes it: 45s, 12m, 3h, 8d. */
export const age = (time: string | undefined, nowMs: number): string => {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(time ?? '')) / 1000));
  if (!Number.isFinite(seconds)) return '-';
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
};
