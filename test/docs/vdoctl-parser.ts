import { buildProgram } from '@vdo/vdoctl/cli/build-program';
import { takeSandbox } from '@vdo/vdoctl/cli/global-flags';
import { allCommands, commandGroups } from '@vdo/vdoctl/commands/all-commands';

const byPath = new Map(
  allCommands.flatMap((command) => {
    const { path, alias } = command;
    const paths = alias === undefined ? [path] : [path, [...path.slice(0, -1), alias]];
    return paths.map((one) => [one.join(' '), command] as const);
  }),
);
const groups = new Set(
  [...byPath.keys()].flatMap((path) => path.split(' ').map((_, at, all) => all.slice(0, at + 1).join(' '))),
);

/** How commander says that it does not take a command line, or that it has shown help. */
const isRefusal = (error: unknown): error is Error & { readonly code: string; readonly exitCode: number } =>
  error instanceof Error && 'exitCode' in error && 'code' in error && String(error.code).startsWith('commander.');

/** What is left out where a text names a command without using it. */
const leftOut = new Set(['commander.missingArgument', 'commander.missingMandatoryOptionValue', 'commander.help']);

/** How many of the words name a command or a group of commands. */
const pathLength = (words: readonly string[]): number => {
  let length = 0;
  while (length < words.length && groups.has(words.slice(0, length + 1).join(' '))) length++;
  return length;
};

/** What vdoctl's own parser says against a command line, if anything. Nothing is run. */
const complaint = async (argv: readonly string[], tolerated: ReadonlySet<string>): Promise<string | undefined> => {
  const program = buildProgram({
    commands: allCommands,
    groups: commandGroups,
    version: '0.0.0',
    write: { out: () => undefined, err: () => undefined },
    columns: undefined,
    run: async () => undefined,
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.exitCode === 0 || tolerated.has(error.code) ? undefined : error.message;
  }
};

/** A command line to be copied: it must be whole. */
export const wholeComplaint = (words: readonly string[]): Promise<string | undefined> =>
  complaint(takeSandbox(words).argv, new Set());

/** A command named in a sentence: its name and its options must exist; other words are the sentence's. */
export const namedComplaint = async (given: readonly string[]): Promise<string | undefined> => {
  const words = takeSandbox(given).argv;
  // Which sandbox, and the command comes later in the text.
  if (words.length === 0) return undefined;
  if (words[0]?.startsWith('--')) return complaint(words, leftOut);
  const length = pathLength(words);
  if (length === 0) return `unknown command ${words[0]}`;
  const path = words.slice(0, length).join(' ');
  const command = byPath.get(path);
  if (!command) return /^[a-z-]+$/.test(words[length] ?? '') ? `unknown command ${path} ${words[length]}` : undefined;
  const takesValue = (flag: string): boolean =>
    (command.options ?? []).some(({ flags }) => flags.split(/[ ,]+/).includes(flag) && flags.includes('<'));
  const options = words.slice(length).flatMap((text, at, rest) => {
    if (!/^--?[a-z]/.test(text)) return [];
    return takesValue(text) && rest[at + 1] !== undefined ? [text, rest[at + 1] ?? ''] : [text];
  });
  return complaint([...command.path, ...options], leftOut);
};
