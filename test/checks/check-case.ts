import type { CheckTestbed } from './check-testbed.ts';

type Names = readonly (string | RegExp)[];

/** How a check is made to fail in a testbed with which everything is right, and what its remedy leads to. */
export interface CheckCase {
  readonly check: string;
  readonly when: string;
  readonly breaks: (testbed: CheckTestbed) => unknown;
  readonly result: 'Fail' | 'Warn';
  readonly reason: string;
  /** What the message or the remedy must name. */
  readonly names: Names | ((testbed: CheckTestbed) => Names);
  /** `run`: the commands of the remedy itself are run. Otherwise what the remedy asks a person to do. */
  readonly repair: 'run' | ((testbed: CheckTestbed) => unknown);
}
