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
    default: 'vmware-system-vdo',
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

/** `90`, `90s`, `5m`, `1h` as seconds. */
export const parseDuration = (text: string): number => {
  const match = /^(\d+)(s|m|h)?$/.exec(text.trim());
  const unit = { s: 1, m: 60, h: 3600 }[match?.[2] ?? 's'];
  const seconds = Number(match?.[1]) * (unit ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError('expected a time such as 90s, 5m or 1h');
};

export const waitOptions: readonly OptionSpec[] = [
  { flags: '--no-wait', description: 'return at once instead of waiting for the result', group: 'Change:' },
  {
    flags: '--timeout <time>',
    description: 'how long to wait, such as 90s or 5m',
    parse: parseDuration,
    default: 300,
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
