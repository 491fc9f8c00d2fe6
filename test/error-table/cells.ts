import { type ErrorCode, errorCodes } from '@vdo/base/error-codes';
import { VdoError } from '@vdo/base/vdo-error';

/** One column of the table: how the first call of an operation ends. */
export interface Cell {
  readonly code: ErrorCode;
  /** `before`: nothing was done. `after`: it was done, and reported as failed. */
  readonly when: 'before' | 'after';
}

/** Every error there is: refused, and where its effect is not known also after the deed. */
export const cells: readonly Cell[] = (Object.keys(errorCodes) as ErrorCode[]).flatMap((code) => [
  { code, when: 'before' } as const,
  ...(errorCodes[code].effect === 'unknown' ? [{ code, when: 'after' } as const] : []),
]);

/** One code of each family, advice and effect, for who has no time for all of them. */
export const oneOfEachKind: readonly Cell[] = [
  ...new Map(
    cells.map((cell) => {
      const { family, retry, effect } = errorCodes[cell.code];
      return [[family, retry, effect, cell.when].join(), cell] as const;
    }),
  ).values(),
];

export const errorOf = ({ code, when }: Cell): VdoError =>
  new VdoError({ code, message: `${code}, ${when} the deed`, remedy: 'Nothing: a test wants it.' });

export const nameOf = ({ code, when }: Cell): string => `${code} ${when}`;
