/** Who does a step. Steps of the operator are listed as vdoctl's, which waits for them. */
export type Who = 'vdoctl' | 'you';

/** One direction of a step. It is rebuilt each time the cluster is read. */
export interface Action {
  readonly what: string;
  readonly who: Who;
  /** The state in the cluster, before and after the step. Undefined if it cannot be read from the cluster. */
  readonly isDone: boolean | undefined;
  /** Commands for the user, if the step is manual. */
  readonly commands?: readonly string[];
  /** Can be repeated at any time: what is done is left unchanged. */
  readonly perform?: (say: (text: string) => void) => Promise<void>;
}

export interface Step {
  /** Stable between runs: confirmations are stored under this ID. */
  readonly id: string;
  readonly where: string;
  readonly forward: Action;
  /** Absent if there is nothing to undo. */
  readonly back?: Action;
}

/** Steps that do not depend on each other. The next phase waits for all of them. */
export type Phase = readonly Step[];

export type Way = 'forward' | 'back';

export type StepState = 'done' | 'due' | 'waits' | 'unknown';

/** A step in one direction, with its state. */
export interface Turn extends Action {
  readonly id: string;
  readonly where: string;
  /** `waits`: for an earlier step. `unknown`: not visible in the cluster, and not confirmed. */
  readonly state: StepState;
}

/** A step without its functions, for output. */
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

/** A phase can start when all steps of the phases before it are done. Steps that are not visible in the cluster do not block. Pure. */
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

/** The key under which a confirmation is stored. */
export const confirmationOf = (way: Way, id: string): string => (way === 'forward' ? id : `undo/${id}`);
