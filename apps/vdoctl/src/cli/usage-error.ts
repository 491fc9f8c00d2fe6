import { VdoError } from '@vdo/base/vdo-error';
import { nearest } from '@vdo/config/nearest';
import type { CommanderError } from 'commander';
import type { CommandSpec } from './command.ts';
import type { CliContext } from './context.ts';

/** The command that the command line names so far, and the words that may follow. */
const placeOf = ({ commands, groups }: CliContext['cli'], argv: readonly string[]) => {
  const all = [...commands, ...groups];
  const below = (path: readonly string[]): readonly string[] => {
    const children = all.filter(
      (one) => one.path.length > path.length && path.every((word, at) => one.path[at] === word),
    );
    return [...new Set(children.map((one) => one.path[path.length] ?? ''))];
  };
  let path: readonly string[] = [];
  for (const word of argv.filter((one) => !one.startsWith('-'))) {
    if (!below(path).includes(word)) break;
    path = [...path, word];
  }
  const named = commands.find((one) => one.path.join(' ') === path.join(' '));
  return { path, below: below(path), command: named };
};

const flagsOf = (command: CommandSpec<unknown> | undefined): readonly string[] =>
  (command?.options ?? []).flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? []);

/** The quoted part of a commander message. */
const quotedIn = (text: string): string => text.split("'")[1] ?? '';

/**
 * The value that commander refused: `option '--tail <lines>' argument 'x' is invalid. expected …`, or
 * `command-argument value 'x' is invalid for argument 'shell'. expected …`.
 */
const refusedValue = (text: string): readonly [string, string] => {
  const [, first = '', , second = ''] = text.split("'");
  const why = text.slice(text.indexOf('. expected ') + 2);
  return text.startsWith('option')
    ? [`${first.match(/--[a-z-]+/)?.[0] ?? first} ${second}`, why]
    : [`${second} ${first}`, why];
};

/** Converts an error of commander to a VdoError. Undefined: commander has printed help. */
export const usageError = (
  cli: CliContext['cli'],
  argv: readonly string[],
  error: CommanderError,
): VdoError | undefined => {
  if (error.code === 'commander.help') return undefined;
  const { path, below, command } = placeOf(cli, argv);
  const name = ['vdoctl', ...path].join(' ');
  // Commander's suggestions are on a second line. Ours also match other case and missing hyphens.
  const [text = ''] = error.message.replace(/^error: /, '').split('\n');
  const word = quotedIn(text);
  const usage = (message: string, meant: string | undefined, more = `${name} --help shows the usage.`) =>
    new VdoError({
      code: 'InvalidArgument',
      message,
      remedy: `${meant === undefined ? '' : `Did you mean ${meant}? `}${more}`,
    });
  switch (error.code) {
    case 'commander.unknownCommand': {
      const near = nearest(word, below);
      return usage(
        `${name} has no subcommand ${word}`,
        near === undefined ? undefined : `${name} ${near}`,
        `${name} --help lists the subcommands.`,
      );
    }
    case 'commander.unknownOption':
      return usage(`${name} has no flag ${word}`, nearest(word, flagsOf(command)));
    case 'commander.excessArguments': {
      const taken = (command?.arguments ?? []).length;
      const words = argv.slice(path.length).filter((one) => !one.startsWith('-'));
      const extra = words.slice(taken).join(' ');
      const near = nearest(words[taken] ?? '', below);
      return usage(
        `${name} takes ${taken === 0 ? 'no arguments' : `at most ${taken} argument${taken === 1 ? '' : 's'}`}; unexpected: ${extra || words.length}`,
        near === undefined ? undefined : `${name} ${near}`,
      );
    }
    case 'commander.missingArgument': {
      const choices = command?.arguments?.find(({ name: one }) => one.includes(word))?.choices;
      return usage(`${name} needs ${word}${choices ? `, one of ${choices.join(', ')}` : ''}`, undefined);
    }
    case 'commander.optionMissingArgument':
      return usage(`${name}: the flag ${word.match(/--[a-z-]+/)?.[0] ?? word} needs a value`, undefined);
    case 'commander.missingMandatoryOptionValue':
      return usage(`${name} needs the flag ${word}`, undefined);
    case 'commander.invalidArgument': {
      const [value, why] = refusedValue(text);
      const [expected = '', near] = why.split('; did you mean ');
      return usage(`${value}: ${expected}`, near?.replace(/\?$/, ''));
    }
    default:
      return usage(`${name}: ${text}`, undefined);
  }
};
