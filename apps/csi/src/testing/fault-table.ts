import type { CountedCall } from './mortal-call.ts';
import { markOf } from './mortal-node-marks.ts';
import type { Death, RetryOrder } from './node-faults.ts';
import { changesState, isFork, type SystemCall } from './system-calls.ts';

/**
 * A way to die. Those that stand for others are tried for all of them: who is killed has no say any more, so two points with no change
 * between them (see {@link changesState}) leave the same mounts, files and disk, and node-faults-classes.long.test.ts looks whether they do.
 * Who is told to stop goes on until it next asks whether to: when it starts a program or reads the list of mounts. Between two such
 * points and changes, the first and the last place stand for all.
 */
export interface ListedDeath extends Death {
  readonly stands: boolean;
}

const signals = ['SIGKILL', 'SIGTERM'] as const;
/** mkfs writes thousands of times: interrupted-mkfs.long.test.ts is for those. */
const someOf = <T>(all: readonly T[]): readonly T[] => [
  ...new Set([all[0], all[1], all[Math.ceil(all.length / 2) - 1], all.at(-1)].flatMap((one) => one ?? [])),
];
const readsMounts = ({ args }: SystemCall): boolean => args.includes('/mountinfo');
export const itself = (call: SystemCall, signal: Death['signal']): Death => ({
  ...{ dieAt: 0, when: 'itself', signal, call: call.call, nth: call.nth },
  // The thread also writes to wake the main one, as often as it happens to: such a call is found by its file.
  ...(call.call === 'write' ? { path: /^\d+<(.+?)>/.exec(call.args)?.[1] ?? '', nth: 1 } : {}),
});

/** Points at which the process itself may die, in pieces that nothing divides but what `divides` says; a piece ends with what divides it. */
const piecesOf = (
  own: readonly SystemCall[],
  divides: (call: SystemCall) => boolean,
): readonly (readonly SystemCall[])[] => {
  const pieces: SystemCall[][] = [[]];
  for (const call of own) {
    pieces.at(-1)?.push(call);
    if (divides(call)) pieces.push([]);
  }
  return pieces;
};

const isPoint = (call: SystemCall): boolean =>
  markOf(call.args) === undefined && (call.call !== 'write' || changesState(call));

/** The points of the process itself between which nothing changes, by itself or by a program: killed anywhere in one, it leaves the same. */
export const killClasses = ({ own, programs }: CountedCall) => {
  const changes = (program: number): boolean => programs[program - 1]?.some(changesState) ?? false;
  const divides = (call: SystemCall): boolean => {
    const mark = markOf(call.args);
    return mark ? mark.place === 'end' && changes(mark.program) : changesState(call);
  };
  return piecesOf(own, divides).map((piece) => {
    const last = piece.at(-1);
    const mark = last && divides(last) ? markOf(last.args) : undefined;
    return { points: piece.filter(isPoint), beforeProgram: mark?.program };
  });
};

const ownDeaths = (counted: CountedCall): readonly ListedDeath[] => {
  const { own } = counted;
  const dividesStop = (call: SystemCall): boolean =>
    markOf(call.args)?.place === 'begin' || changesState(call) || readsMounts(call);
  const standing = {
    // Before a program that changes something comes a death of its own; see below.
    SIGKILL: killClasses(counted).flatMap(({ points, beforeProgram }) =>
      beforeProgram === undefined ? (points.at(-1) ?? []) : [],
    ),
    SIGTERM: piecesOf(own, dividesStop).flatMap((piece) => {
      const points = piece.filter(isPoint);
      const beforeProgram = markOf(piece.at(-1)?.args ?? '')?.place === 'begin';
      return [points[0] ?? [], beforeProgram ? [] : (points.at(-1) ?? [])].flat();
    }),
  };
  return own
    .filter(isPoint)
    .flatMap((call) => signals.map((signal) => ({ ...itself(call, signal), stands: standing[signal].includes(call) })));
};

const programDeaths = (calls: readonly SystemCall[], dieAt: number): readonly ListedDeath[] => {
  const changes = calls.filter(changesState);
  const lastChange = calls.findLastIndex(changesState);
  const names = [...new Set(calls.map(({ call }) => call))];
  const chosen = names.flatMap((name) => [
    ...someOf(calls.filter(({ call }) => call === name)),
    ...someOf(changes.filter(({ call }) => call === name)),
  ]);
  const afterAll = lastChange >= 0 ? calls.slice(lastChange + 1).at(-1) : undefined;
  const inside = [...new Set([...chosen, ...(afterAll ? [afterAll] : [])])];
  return [
    ...signals.flatMap((signal) =>
      (['before', 'during'] as const).map((when) => ({
        ...{ dieAt, when, signal, call: '', nth: 1 },
        stands: when === 'during' || signal === 'SIGTERM' || changes.length > 0,
      })),
    ),
    ...inside.map((call) => ({
      ...{ dieAt, when: 'inside' as const, signal: 'SIGKILL' as const, call: call.call, nth: call.nth },
      stands: changesState(call) || call === afterAll || (isFork(call) && changes.length > 0),
    })),
  ];
};

/** Every way in which a step can die: before, while and inside what it starts, and inside every system call of its own. */
export const deathsOf = (counted: CountedCall): readonly ListedDeath[] => [
  ...counted.programs.flatMap((calls, index) => programDeaths(calls, index + 1)),
  ...ownDeaths(counted),
];

export interface TableCell {
  readonly id: string;
  readonly death: ListedDeath;
  readonly order: RetryOrder;
}

export const idOf = ({ when, dieAt, signal, call, nth }: Death): string =>
  [when, ...(dieAt > 0 ? [`program ${dieAt}`] : []), signal, ...(call ? [call, nth] : [])].join(' ');

/** Deaths with all orders, the same ones in every run. */
export const cellsOf = (deaths: readonly ListedDeath[], orders: readonly RetryOrder[]): readonly TableCell[] =>
  orders.flatMap((order) => deaths.map((death) => ({ id: `${idOf(death)}, tried again ${order}`, death, order })));
