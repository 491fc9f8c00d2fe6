import type { ArgumentSpec, CommandGroup, CommandSpec, Completes, NameKind, OptionSpec } from '../../cli/command.ts';

/** What shell completion offers for a value: fixed words, files, names that vdoctl looks up, or nothing. */
export type Offer =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'names'; readonly of: NameKind }
  | { readonly kind: 'nothing' };

/** What may follow after `path`: words with their meaning, and values of flags. */
export interface CompletionPlace {
  /** `''` for the program itself, else `matrix show`. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
  /** Flag that takes a value → what is offered for it. */
  readonly values: ReadonlyMap<string, Offer>;
  /** Long flag → its short form. */
  readonly letters: ReadonlyMap<string, string>;
  /** What an argument may be besides `words`. */
  readonly argument: Offer;
}

const longFlag = (flags: string): string => /--[a-z-]+/.exec(flags)?.[0] ?? '';
const letter = (flags: string): string | undefined => /^-([a-zA-Z]),/.exec(flags)?.[1];
const takesValue = (flags: string): boolean => /[<[]/.test(flags);
const namesFile = (text: string): boolean => /[<[](file|folder)/.test(text);

const offerOf = (completes: Completes | undefined, text: string): Offer => {
  if (completes === undefined) return namesFile(text) ? { kind: 'files' } : { kind: 'nothing' };
  if (completes === 'files') return { kind: 'files' };
  return typeof completes === 'string' ? { kind: 'names', of: completes } : { kind: 'words', words: completes };
};

const offerOfFlag = ({ choices, completes, flags }: OptionSpec): Offer =>
  choices ? { kind: 'words', words: choices } : offerOf(completes, flags);

const offerOfArguments = (specs: readonly ArgumentSpec[]): Offer =>
  specs
    .filter(({ choices }) => choices === undefined)
    .map(({ completes, name }) => offerOf(completes, name))
    .find(({ kind }) => kind !== 'nothing') ?? { kind: 'nothing' };

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
        .map((option) => [longFlag(option.flags), offerOfFlag(option)] as const),
    ),
    letters: new Map(options.map(({ flags }) => [longFlag(flags), letter(flags) ?? ''] as const)),
    argument: offerOfArguments(command?.arguments ?? []),
  };
};

/** All positions of the command line that have completions. */
export const wordsOf = (
  all: readonly CommandSpec<unknown>[],
  groups: readonly CommandGroup[],
): readonly CompletionPlace[] => {
  const commands = all.filter(({ hidden }) => !hidden);
  const paths = new Set(['']);
  for (const { path } of commands)
    for (let length = 1; length <= path.length; length += 1) paths.add(path.slice(0, length).join(' '));
  return [...paths].map((path) => placeOf(path, commands, groups));
};
