const unitMs = { h: 3_600_000, m: 60_000, s: 1000 } as const;

/** Milliseconds of a text such as `6h`, `1h30m`, `45s`; undefined if it is none. */
export const parseDurationMs = (text: string): number | undefined => {
  if (!/^(\d+h)?(\d+m)?(\d+s)?$/.test(text) || text === '') return undefined;
  const parts = text.matchAll(/(\d+)([hms])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs], 0);
};
