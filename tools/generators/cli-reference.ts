import type { OptionSpec } from '@vdo/vdoctl/cli/command';
import type { AnyCommand } from '@vdo/vdoctl/cli/command-run';
import { exitCodeMeanings, exitCodeTable } from '@vdo/vdoctl/cli/exit-codes';
import { allCommands } from '@vdo/vdoctl/commands/all-commands';

const cell = (text: string): string => text.replaceAll('|', '\\|');

const defaultOf = (spec: OptionSpec): string => {
  if (spec.required) return 'required';
  const text = spec.defaultText ?? (Array.isArray(spec.default) ? spec.default.join(',') : String(spec.default ?? ''));
  return text === '' || spec.default === false ? '' : `\`${text}\``;
};

const optionRow = (spec: OptionSpec): string => {
  const choices = spec.choices ? ` (${spec.choices.join(', ')})` : '';
  const env = spec.env ? `; variable ${spec.env}` : '';
  return `| \`${cell(spec.flags)}\` | ${cell(spec.description)}${choices}${env} | ${cell(defaultOf(spec))} |`;
};

const section = (command: AnyCommand): string => {
  const { path, alias, summary, details, examples } = command;
  const words = (command.arguments ?? []).map(({ name }) => name);
  const options = command.options ?? [];
  return [
    `## vdoctl ${path.join(' ')}`,
    `\`vdoctl ${[...path, ...words].join(' ')}${options.length > 0 ? ' [options]' : ''}\``,
    [summary, alias && `Also: \`vdoctl ${[...path.slice(0, -1), alias].join(' ')}\`.`, details]
      .filter(Boolean)
      .join('\n\n'),
    ...(words.length > 0
      ? [
          (command.arguments ?? [])
            .map(
              ({ name, description, choices }) =>
                `- \`${name}\`: ${description}${choices ? ` (${choices.join(', ')})` : ''}`,
            )
            .join('\n'),
        ]
      : []),
    ...(options.length > 0
      ? [['| Option | Meaning | Default |', '|---|---|---|', ...options.map(optionRow)].join('\n')]
      : []),
    ...(examples.length > 0
      ? [['```sh', ...examples.map(({ command: line, purpose }) => `${line}    # ${purpose}`), '```'].join('\n')]
      : []),
  ].join('\n\n');
};

const codesWith = (exitCode: number): string => {
  const codes = exitCodeTable()
    .filter(([, code]) => code === exitCode)
    .map(([code]) => code);
  return codes.length > 12 ? 'all other error codes' : codes.join(', ');
};

/** docs/reference/cli.md, from the commands themselves. */
export const renderCliReference = (): ReadonlyMap<string, string> => {
  const text = [
    '<!-- Generated from apps/vdoctl. Do not edit: npm run generate. -->',
    '# vdoctl',
    'Results go to standard output, everything else to standard error. Nothing is asked unless a terminal is there; `--yes` answers for scripts. Secrets are read from a prompt, a file, a variable or standard input, and are never printed.',
    '## Exit codes',
    [
      '| Code | Meaning | Error codes |',
      '|---|---|---|',
      ...exitCodeMeanings.map(([code, meaning]) => `| ${code} | ${meaning} | ${codesWith(code)} |`),
    ].join('\n'),
    ...allCommands.filter(({ hidden }) => !hidden).map(section),
  ];
  return new Map([['docs/reference/cli.md', `${text.join('\n\n')}\n`]]);
};
