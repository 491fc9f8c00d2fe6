import type { MomentRow } from '../rows/time-rows.ts';
import type { Happening } from './moments.ts';

const dayMs = 24 * 3_600_000;
/** Operations are many; they must not push out what explains a fault. */
const kept = { operations: 300, others: 500 } as const;

/** Remembers what happened in the last day, a bounded number of things. */
export const createJournal = () => {
  let operations: readonly MomentRow[] = [];
  let others: readonly MomentRow[] = [];
  let count = 0;
  return {
    note: (atMs: number, happenings: readonly Happening[]): void => {
      for (const happening of happenings) {
        count += 1;
        const moment = { key: `${count}`, atMs, ...happening };
        if (happening.kind === 'operation') operations = [...operations.slice(1 - kept.operations), moment];
        else others = [...others.slice(1 - kept.others), moment];
      }
    },
    rows: (nowMs: number): readonly MomentRow[] =>
      [...operations, ...others].filter(({ atMs }) => atMs > nowMs - dayMs),
  };
};
