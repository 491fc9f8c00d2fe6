import type { Death, RetryOrder } from './node-faults.ts';

/** Every way in which a step can die that starts so many programs and makes so many system calls of its own. */
export const deathsOf = ({ programs, own }: { readonly programs: number; readonly own: number }): readonly Death[] => {
  const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
  const signals = ['SIGKILL', 'SIGTERM'] as const;
  return [
    ...upTo(programs).flatMap((dieAt): readonly Death[] => [
      ...signals.flatMap((signal) => [
        { dieAt, when: 'before' as const, signal, nth: 1 },
        { dieAt, when: 'during' as const, signal, nth: 1 },
      ]),
      ...[1, 2, 4, 8, 16].map((nth) => ({ dieAt, when: 'inside' as const, signal: 'SIGKILL' as const, nth })),
    ]),
    ...upTo(own).flatMap((nth) => signals.map((signal) => ({ dieAt: 0, when: 'itself' as const, signal, nth }))),
  ];
};

export interface TableCell {
  readonly death: Death;
  readonly order: RetryOrder;
}

/** All deaths with all orders, or every nth of them: the same ones in every run, and of each kind some. */
export const cellsOf = (deaths: readonly Death[], orders: readonly RetryOrder[], every: number): readonly TableCell[] =>
  orders.flatMap((order) => deaths.map((death) => ({ death, order }))).filter((_, index) => index % every === 0);
