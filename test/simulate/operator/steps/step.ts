import type { Step } from '../../steps/step.ts';
import type { Life } from '../life.ts';

export interface OperatorStepContext {
  readonly life: Life;
  readonly dice: Step['dice'];
  /** Called at the end of the faults: puts right what does not end by itself. */
  readonly heal: (repair: () => unknown) => void;
}
/** Something that happens; returns what, or undefined if it cannot. */
export type OperatorHappening = (context: OperatorStepContext) => Promise<string | undefined> | string | undefined;

export const pick = <T>(items: readonly [T, ...T[]], die: number): T =>
  items[Math.floor(die * items.length)] ?? items[0];

/** Ends after that time, or when the faults end. */
export const endAfter = ({ life, heal }: OperatorStepContext, end: () => void, ms: number): void => {
  const cancel = life.story.clock.schedule(end, ms);
  heal(() => {
    cancel();
    end();
  });
};
