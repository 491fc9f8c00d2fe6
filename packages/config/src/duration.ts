const unitMs = { h: 3_600_000, m: 60_000, s: 1000 } as const;

/** Milliseconds of a text such as `6h`, `1h30m`, `45s`; undefined if it is none. */
export const parseDurationMs = (text: string): number | undefined => {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (!parts || text === '') return undefined;
  const [hours, minutes, seconds] = parts.slice(1).map((count) => Number(count ?? 0));
  return (hours ?? 0) * unitMs.h + (minutes ?? 0) * unitMs.m + (seconds ?? 0) * unitMs.s;
};
