/** Who carries a step out. The operator's share shows as vdoctl's, which waits for it. */
export type Who = 'vdoctl' | 'you';

/** One way through a step. It is made anew from every reading of the cluster. */
export interface Action {
  readonly what: string;
  readonly who: Who;
  /** As the cluster shows it: both the check before and the check after. Undefined where the cluster does not tell. */
  readonly isDone: boolean | undefined;
  /** For who does it by hand. */
  readonly commands?: readonly string[];
  /** May be repeated at any time: what is done already it leaves alone. */
  readonly perform?: (say: (text: string) => void) => Promise<void>;
}

export interface Step {
  /** Stays the same from run to run: what people confirm is recorded under it. */
  readonly id: string;
  readonly where: string;
  readonly forward: Action;
  /** Absent where the step leaves nothing behind. */
  readonly back?: Action;
}

/** Steps of which none waits for another; those of the next phase wait for all of them. */
export type Phase = readonly Step[];

export type Way = 'forward' | 'back';

export type StepState = 'done' | 'due' | 'waits' | 'unknown';

/** A step on one of the ways, and whether it is its turn. */
export interface Turn extends Action {
  readonly id: string;
  readonly where: string;
  /** `waits`: for a step above. `unknown`: the cluster does not tell, and nobody has confirmed it. */
  readonly state: StepState;
}

/** What is a step with its functions left out, as it is printed. */
export interface StepView {
  readonly id: string;
  readonly what: string;
  readonly where: string;
  readonly who: Who;
  readonly state: StepState;
  readonly commands: readonly string[];
}

export const viewOf = ({ id, what, where, who, state, commands = [] }: Turn): StepView => ({
  id,
  what,
  where,
  who,
  state,
  commands,
});

const actionsOf = (phases: readonly Phase[], way: Way) =>
  (way === 'forward' ? phases : phases.toReversed()).map((phase) =>
    phase.flatMap(({ id, where, ...actions }) => {
      const action = actions[way];
      return action ? [{ id, where, ...action }] : [];
    }),
  );

/** Nothing below a step that is not done is due; what the cluster does not tell holds nobody up. Pure. */
export const turnsOf = (phases: readonly Phase[], way: Way, confirmed: readonly string[] = []): readonly Turn[] => {
  let isOpen = true;
  return actionsOf(phases, way).flatMap((actions) => {
    const mayBegin = isOpen;
    const isDone = ({ id, isDone: shown }: Action & { readonly id: string }): boolean | undefined =>
      shown ?? (confirmed.includes(confirmationOf(way, id)) ? true : undefined);
    isOpen &&= actions.every((action) => isDone(action) !== false);
    return actions.map((action): Turn => {
      const done = isDone(action);
      if (done) return { ...action, state: 'done' };
      return { ...action, state: mayBegin ? (done === undefined ? 'unknown' : 'due') : 'waits' };
    });
  });
};

/** Under which a person's word about a step is recorded. */
export const confirmationOf = (way: Way, id: string): string => (way === 'forward' ? id : `undo/${id}`);
