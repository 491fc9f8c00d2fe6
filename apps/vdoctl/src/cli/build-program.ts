import { nearest } from '@vdo/config/nearest';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { ArgumentSpec, CommandGroup, OptionSpec } from './command.ts';
import type { AnyCommand } from './command-run.ts';

export interface ProgramOptions {
  readonly version: string;
  readonly commands: readonly AnyCommand[];
  readonly groups: readonly CommandGroup[];
  readonly write: { readonly out: (text: string) => void; readonly err: (text: string) => void };
  readonly columns: number | undefined;
  readonly run: (
    command: AnyCommand,
    flags: Readonly<Record<string, unknown>>,
    args: readonly string[],
  ) => Promise<void>;
}

const oneOf = (text: string, choices: readonly string[]): string => {
  if (choices.includes(text)) return text;
  const meant = nearest(text, choices);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new InvalidArgumentError(`expected one of ${choices.join(', ')}${hint}`);
};

/** Defaults that help does not show: a switch that is off, an empty list. */
const isNothing = ({ default: value }: OptionSpec): boolean =>
  value === false || (Array.isArray(value) && value.length === 0);

const optionOf = (spec: OptionSpec): Option => {
  const option = new Option(spec.flags, `${spec.description}${spec.required ? ' (required)' : ''}`);
  const { choices } = spec;
  // Commander's own message repeats the flag and suggests no similar choice.
  if (choices) option.choices(choices).argParser((text: string) => oneOf(text, choices));
  if (spec.default !== undefined && !isNothing(spec)) option.default(spec.default, spec.defaultText);
  if (spec.parse) option.argParser(spec.parse);
  if (spec.env) option.env(spec.env);
  if (spec.required) option.makeOptionMandatory();
  if (spec.group) option.helpGroup(spec.group);
  return option;
};

const argumentOf = (spec: ArgumentSpec): Argument => {
  const argument = new Argument(spec.name, spec.description);
  const { choices } = spec;
  return choices ? argument.choices(choices).argParser((text: string) => oneOf(text, choices)) : argument;
};

const exampleText = ({ examples }: AnyCommand): string => {
  const width = Math.max(0, ...examples.map(({ command }) => command.length));
  return ['', 'Examples:', ...examples.map(({ command, purpose }) => `  ${command.padEnd(width)}  # ${purpose}`)].join(
    '\n',
  );
};

/** An argument as the usage line shows it. */
const helpName = (argument: Argument): string => {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
};

const firstSteps = `
New here? Try everything on this machine, without a cluster:
  vdoctl sandbox                     start a simulated vCenter, Kubernetes, the operator and both drivers
On a cluster:
  vdoctl install                     install the operator
  vdoctl configure                   choose the vCenter and the drivers, step by step
  vdoctl status                      show the health, and how to fix each problem
Run "vdoctl COMMAND --help" for help on a command, and "vdoctl explain WORD" for the meaning of a word.
Every command accepts --sandbox NAME, to choose one of several running sandboxes: vdoctl --sandbox NAME status.`;

/** The values of flags that were not given: off, or an empty list. */
const withoutFlags = ({ options = [] }: AnyCommand): Readonly<Record<string, unknown>> =>
  Object.fromEntries(options.filter(isNothing).map((spec) => [optionOf(spec).attributeName(), spec.default]));

/** All commands as one commander program. It prints help and usage errors, and calls `run`. */
export const buildProgram = (options: ProgramOptions): Command => {
  const settle = (command: Command): Command =>
    command
      .exitOverride()
      // For a command with subcommands: the flags after a subcommand belong to the subcommand.
      .enablePositionalOptions()
      .helpOption('-h, --help', 'show this help')
      .configureOutput({
        writeOut: options.write.out,
        writeErr: options.write.err,
        getOutHelpWidth: () => Math.min(options.columns ?? 100, 110),
        getErrHelpWidth: () => Math.min(options.columns ?? 100, 110),
        // print-error.ts prints all errors.
        outputError: () => undefined,
      })
      .helpCommand(false)
      .configureHelp({
        // Lists of commands leave out "[options]": every command has options.
        subcommandTerm: (below) => [below.name(), ...below.registeredArguments.map((one) => helpName(one))].join(' '),
        // A list shows the summary, not the whole description.
        subcommandDescription: (below) => below.summary() || below.description(),
      });

  const program = settle(new Command('vdoctl'))
    .description('Install, configure, check, upgrade and remove the vSphere drivers of Kubernetes clusters.')
    .version(`vdoctl ${options.version}`, '--version', 'show the version')
    // run-cli.ts takes it off before the rest is parsed, so that every command accepts it.
    .option('--sandbox <name>', 'the running sandbox to use; every command accepts it (default: the one that runs)')
    .addHelpText('after', firstSteps);

  const parentOf = (path: readonly string[]): Command => {
    if (path.length === 0) return program;
    const name = path.at(-1) ?? '';
    const parent = parentOf(path.slice(0, -1));
    const existing = parent.commands.find((candidate) => candidate.name() === name);
    if (existing) return existing;
    const group = options.groups.find((candidate) => candidate.path.join(' ') === path.join(' '));
    const made = settle(new Command(name)).description(group?.summary ?? '');
    if (group?.heading) made.helpGroup(group.heading);
    parent.addCommand(made);
    return made;
  };

  for (const spec of options.commands) {
    const parent = parentOf(spec.path.slice(0, -1));
    const name = spec.path.at(-1) ?? '';
    const existing = parent.commands.find((candidate) => candidate.name() === name);
    const command = existing ?? settle(new Command(name));
    command.summary(spec.summary).description([spec.summary, spec.details].filter(Boolean).join('\n\n'));
    for (const argument of spec.arguments ?? []) command.addArgument(argumentOf(argument));
    for (const option of spec.options ?? []) command.addOption(optionOf(option));
    if (spec.examples.length > 0) command.addHelpText('after', exampleText(spec));
    command.action(() => options.run(spec, { ...withoutFlags(spec), ...command.opts() }, command.args));
    if (spec.alias) command.alias(spec.alias);
    if (spec.heading && spec.path.length === 1) command.helpGroup(spec.heading);
    if (!existing) parent.addCommand(command, { hidden: spec.hidden ?? false });
  }
  return program;
};
