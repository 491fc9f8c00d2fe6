import { parseDurationMs } from '@vdo/config/duration';
import { names } from '@vdo/config/names';
import { InvalidArgumentError } from 'commander';
import type { OptionSpec } from './command.ts';

export const outputFormats = ['table', 'wide', 'json', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export interface OutputFlags {
  readonly output: OutputFormat;
  /** False with --no-color. */
  readonly color: boolean;
}

export const noColorOption: OptionSpec = {
  flags: '--no-color',
  description: 'plain text; also by the variable NO_COLOR, and whenever the output is no terminal',
  group: 'Output:',
};

export const outputOptions: readonly OptionSpec[] = [
  {
    flags: '-o, --output <format>',
    description: 'how to print the result',
    choices: outputFormats,
    default: 'table',
    group: 'Output:',
  },
  noColorOption,
];

export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace: string;
}

export const clusterOptions: readonly OptionSpec[] = [
  {
    flags: '--kubeconfig <file>',
    description: 'how to reach the cluster (default: KUBECONFIG, a running sandbox, the pod, ~/.kube/config)',
    group: 'Cluster:',
  },
  { flags: '--context <name>', description: 'context of the kubeconfig (default: its current one)', group: 'Cluster:' },
  {
    flags: '-n, --namespace <name>',
    description: 'where the operator and the drivers live',
    default: names.namespace,
    group: 'Cluster:',
  },
];

export interface ConfirmFlags {
  readonly yes: boolean;
  readonly dryRun: boolean;
}

export const yesOption: OptionSpec = {
  flags: '-y, --yes',
  description: 'do not ask; needed when nobody can be asked',
  default: false,
  group: 'Change:',
};

export const dryRunOption: OptionSpec = {
  flags: '--dry-run',
  description: 'show what would be done, and change nothing',
  default: false,
  group: 'Change:',
};

export interface WaitFlags {
  readonly wait: boolean;
  /** Seconds. */
  readonly timeout: number;
}

/** `90s`, `5m`, `1h30m` as seconds. A number alone is refused: some would mean seconds by it, others minutes. */
export const parseDuration = (text: string): number => {
  const written = text.trim();
  const total = (parseDurationMs(written) ?? 0) / 1000;
  if (total > 0) return total;
  const isNumber = /^[1-9]\d*$/.test(written);
  throw new InvalidArgumentError(
    isNumber
      ? `a unit is missing: ${written}s, ${written}m or ${written}h`
      : 'expected a time such as 90s, 5m or 1h30m',
  );
};

/** Seconds as one would write them: `90s`, `5m`, `24h`. */
const durationText = (seconds: number): string => {
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
};

/** How a length of time is read, what it is if it is not given, and how help shows that. */
export const durationOption = (seconds: number): Pick<OptionSpec, 'parse' | 'default' | 'defaultText'> => ({
  parse: parseDuration,
  default: seconds,
  defaultText: durationText(seconds),
});

export const waitOptions: readonly OptionSpec[] = [
  { flags: '--no-wait', description: 'return at once instead of waiting for the result', group: 'Change:' },
  {
    flags: '--timeout <time>',
    description: 'how long to wait, such as 90s or 5m',
    ...durationOption(300),
    group: 'Change:',
  },
];

export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
  };
