import type { CountedCall } from './mortal-call.ts';
import type { Death, RetryOrder } from './node-faults.ts';

const signals = ['SIGKILL', 'SIGTERM'] as const;
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
/** mkfs writes thousands of times: interrupted-mkfs.long.test.ts is for those. */
const someOf = (count: number): readonly number[] => [...new Set([1, 2, Math.ceil(count / 2), count])];

/** Every way in which a step can die: before, while and inside what it starts, and inside every system call of its own. */
export const deathsOf = ({ programs, own }: CountedCall): readonly Death[] => [
  ...programs.flatMap((calls, index): readonly Death[] => [
    ...signals.flatMap((signal) =>
      (['before', 'during'] as const).map((when) => ({ dieAt: index + 1, when, signal, call: '', nth: 1 })),
    ),
    ...Object.entries(calls).flatMap(([call, count]) =>
      someOf(count).map((nth) => ({
        dieAt: index + 1,
        when: 'inside' as const,
        signal: 'SIGKILL' as const,
        call,
        nth,
      })),
    ),
  ]),
  ...Object.entries(own).flatMap(([call, count]) =>
    upTo(count).flatMap((nth) => signals.map((signal) => ({ dieAt: 0, when: 'itself' as const, signal, call, nth }))),
  ),
];

export interface TableCell {
  readonly death: Death;
  readonly order: RetryOrder;
}

/** All deaths with all orders, or every nth of them: the same ones in every run. */
export const cellsOf = (deaths: readonly Death[], orders: readonly RetryOrder[], every: number): readonly TableCell[] =>
  orders.flatMap((order) => deaths.map((death) => ({ death, order }))).filter((_, index) => index % every === 0);
