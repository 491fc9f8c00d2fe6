/** Where a program begins and ends among the system calls of whoever starts it: a look at a path that does not exist. */
export interface ProgramMark {
  readonly program: number;
  readonly place: 'begin' | 'end';
}

export const pathOfMark = ({ program, place }: ProgramMark): string => `/no-such-folder/program-${program}-${place}`;

/** Of the arguments of a system call; undefined if it is none. */
export const markOf = (args: string): ProgramMark | undefined => {
  const [, program, place] = /\/no-such-folder\/program-(\d+)-(begin|end)"/.exec(args) ?? [];
  return program === undefined ? undefined : { program: Number(program), place: place === 'end' ? 'end' : 'begin' };
};
