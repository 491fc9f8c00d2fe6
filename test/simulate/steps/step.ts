import type { Truth } from '../truth.ts';
import type { World } from '../world.ts';

/** A step as data: a seed makes a list of them, and a list without some of them can be lived, too. */
export interface Step {
  readonly kind: string;
  /** Decide what it is about, each in [0, 1). */
  readonly dice: readonly [number, number, number];
  /** How much time passes after it. */
  readonly gapMs: number;
}

export interface StepContext {
  readonly world: World;
  readonly truth: Truth;
  readonly dice: Step['dice'];
  /** Called at the end of the faults: puts right what does not end by itself. */
  readonly heal: (repair: () => void) => void;
}

/** Something that happens now. Returns what happened, or undefined if it cannot. */
export type Happening = (context: StepContext) => Promise<string | undefined> | string | undefined;

export interface StepKind {
  /** How often, compared with others. */
  readonly weight: number;
  readonly happen: Happening;
}

export const pick = <T>(items: readonly T[], die: number): T | undefined => items[Math.floor(die * items.length)];
export const upTo = (most: number, die: number): number => Math.floor(die * most) + 1;
