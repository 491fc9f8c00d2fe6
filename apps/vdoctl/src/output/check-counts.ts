/** How many checks ended how, in the form that every view uses. */
export interface CheckCounts {
  readonly pass: number;
  readonly fail: number;
  readonly warn: number;
  readonly unknown: number;
  readonly skipped: number;
}

export const checkCountsText = ({ pass, fail, warn, unknown, skipped }: CheckCounts): string =>
  `${pass} passed, ${fail} failed, ${warn} ${warn === 1 ? 'warning' : 'warnings'}, ${unknown} unknown, ${skipped} skipped`;
