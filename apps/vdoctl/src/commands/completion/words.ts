import type { CommandGroup, CommandSpec } from '../../cli/command.ts';

/** What may follow after `path`: words with what they mean, and values of flags. */
export interface CompletionPlace {
  /** `''` for the program itself, else `matrix show`. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
  /** Flag → its allowed values; empty if any value goes. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Long flag → the one letter that means the same. */
  readonly letters: ReadonlyMap<string, string>;
  /** Whether an argument may be a file, or anything else. */
  readonly takesFiles: boolean;
}

const longFlag = (flags: string): string => /--[a-z-]+/.exec(flags)?.[0] ?? '';
const letter = (flags: string): string | undefined => /^-([a-zA-Z]),/.exec(flags)?.[1];
const takesValue = (flags: string): boolean => /[<[]/.test(flags);

const placeOf = (
  path: string,
  commands: readonly CommandSpec<unknown>[],
  groups: readonly CommandGroup[],
): CompletionPlace => {
  const depth = path === '' ? 0 : path.split(' ').length;
  const below = [...commands, ...groups].filter(
    (item) => item.path.length > depth && item.path.slice(0, depth).join(' ') === path,
  );
  const children = new Map<string, string>();
  for (const item of below) {
    const word = item.path[depth] ?? '';
    if (item.path.length === depth + 1 || !children.has(word)) children.set(word, item.summary);
  }
  const command = commands.find((candidate) => candidate.path.join(' ') === path);
  const options = command?.options ?? [];
  return {
    path,
    words: [
      ...[...children].map(([word, meaning]) => ({ word, meaning })),
      ...(command?.arguments ?? []).flatMap(({ choices, description }) =>
        (choices ?? []).map((word) => ({ word, meaning: description })),
      ),
      ...options.map(({ flags, description }) => ({ word: longFlag(flags), meaning: description })),
      { word: '--help', meaning: 'show help' },
    ],
    values: new Map(
      options
        .filter(({ flags }) => takesValue(flags))
        .map(({ flags, choices }) => [longFlag(flags), choices ?? []] as const),
    ),
    letters: new Map(options.map(({ flags }) => [longFlag(flags), letter(flags) ?? ''] as const)),
    takesFiles: (command?.arguments ?? []).some(({ choices }) => choices === undefined),
  };
};

/** Every place of the command line where completion has something to say. */
export const wordsOf = (
  commands: readonly CommandSpec<unknown>[],
  groups: readonly CommandGroup[],
): readonly CompletionPlace[] => {
  const paths = new Set(['']);
  for (const { path } of commands)
    for (let length = 1; length <= path.length; length += 1) paths.add(path.slice(0, length).join(' '));
  return [...paths].map((path) => placeOf(path, commands, groups));
};
