import { parseDurationMs } from '@vdo/config/duration';
import { names } from '@vdo/config/names';
import { nearest } from '@vdo/config/nearest';
import { InvalidArgumentError } from 'commander';
import type { OptionSpec } from './command.ts';

/** Output formats. Those with an equals sign take a template. */
const formats = ['table', 'wide', 'json', 'yaml', 'jsonpath=TEMPLATE'];
const listFormats = [...formats, 'name', 'custom-columns=TITLE:.field,…'];

export type OutputFormat =
  | 'table'
  | 'wide'
  | 'json'
  | 'yaml'
  | 'name'
  | `jsonpath=${string}`
  | `custom-columns=${string}`;

export interface OutputFlags {
  readonly output: OutputFormat;
  /** False with --no-color. */
  readonly color: boolean;
}

export const noColorOption: OptionSpec = {
  flags: '--no-color',
  description: 'disable colors (also: NO_COLOR is set, or the output is not a terminal)',
  group: 'Output:',
};

/** The format without its template: `jsonpath={.a}` → `jsonpath=`. */
const headOf = (format: string): string => format.slice(0, format.indexOf('=') + 1) || format;

const parseFormat =
  (known: readonly string[]) =>
  (text: string): string => {
    const heads = known.map(headOf);
    const head = headOf(text);
    if (heads.includes(head)) return text;
    const meant = heads.includes(`${text}=`) ? `${text}=` : nearest(head, heads);
    throw new InvalidArgumentError(
      `expected one of ${known.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    );
  };

const formatOption = (known: readonly string[]): OptionSpec => ({
  flags: '-o, --output <format>',
  description: `output format: ${known.join(', ')}`,
  completes: known.map(headOf),
  parse: parseFormat(known),
  default: 'table',
  group: 'Output:',
});

export const outputOptions: readonly OptionSpec[] = [formatOption(formats), noColorOption];
/** For commands that list objects. */
export const listOutputOptions: readonly OptionSpec[] = [formatOption(listFormats), noColorOption];

export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace: string;
}

export const clusterOptions: readonly OptionSpec[] = [
  {
    flags: '--kubeconfig <file>',
    description: 'kubeconfig file (default: $KUBECONFIG, a running sandbox, the in-cluster account, ~/.kube/config)',
    group: 'Cluster:',
  },
  {
    flags: '--context <name>',
    description: 'context in the kubeconfig (default: its current context)',
    group: 'Cluster:',
  },
  {
    flags: '-n, --namespace <name>',
    description: 'namespace of the operator and the drivers',
    default: names.namespace,
    group: 'Cluster:',
  },
];

export interface WatchFlags {
  readonly watch: boolean;
}

export const watchOption: OptionSpec = {
  flags: '-w, --watch',
  description: 'update the view until Ctrl-C; on a terminal, it is redrawn in place',
  default: false,
};

export interface SelectorFlags {
  readonly selector?: string;
}

export const selectorOption = (of: string): OptionSpec => ({
  flags: '-l, --selector <labels>',
  description: `only ${of} with these labels, such as app=shop,tier!=web`,
});

/** Flags of commands that list namespaced objects: as in kubectl, -n is the namespace of the objects, not of the operator. */
export interface NamespacedListFlags extends Omit<ClusterFlags, 'namespace'> {
  readonly namespace?: string;
  readonly allNamespaces: boolean;
  readonly operatorNamespace: string;
}

export const namespacedListOptions = (of: string): readonly OptionSpec[] => [
  {
    flags: '-n, --namespace <name>',
    description: `only ${of} in this namespace (default: all namespaces)`,
  },
  { flags: '-A, --all-namespaces', description: `list ${of} in all namespaces (the default)`, default: false },
  ...clusterOptions.slice(0, 2),
  {
    flags: '--operator-namespace <name>',
    description: 'namespace of the operator and the drivers',
    default: names.namespace,
    group: 'Cluster:',
  },
];

/** The same flags with the namespace of the operator, to open the cluster. */
export const clusterOfList = <Flags extends NamespacedListFlags>(flags: Flags): Flags & ClusterFlags => ({
  ...flags,
  namespace: flags.operatorNamespace,
});

export interface ConfirmFlags {
  readonly yes: boolean;
  readonly dryRun: boolean;
}

export const yesOption: OptionSpec = {
  flags: '-y, --yes',
  description: 'do not ask for confirmation; required in scripts',
  default: false,
  group: 'Change:',
};

export const dryRunOption: OptionSpec = {
  flags: '--dry-run',
  description: 'show what would be changed, without changing it',
  default: false,
  group: 'Change:',
};

export interface WaitFlags {
  readonly wait: boolean;
  /** Seconds. */
  readonly timeout: number;
}

/** `90s`, `5m`, `1h30m` in seconds. A number without a unit is refused: it is ambiguous. */
export const parseDuration = (text: string): number => {
  const written = text.trim();
  const total = (parseDurationMs(written) ?? 0) / 1000;
  if (total > 0) return total;
  const isNumber = /^[1-9]\d*$/.test(written);
  throw new InvalidArgumentError(
    isNumber
      ? `the unit is missing; write ${written}s, ${written}m or ${written}h`
      : 'expected a duration such as 90s, 5m or 1h30m',
  );
};

/** Seconds as a user would write them: `90s`, `5m`, `24h`. */
const durationText = (seconds: number): string => {
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
};

/** Parser, default and displayed default of an option that takes a duration. */
export const durationOption = (seconds: number): Pick<OptionSpec, 'parse' | 'default' | 'defaultText'> => ({
  parse: parseDuration,
  default: seconds,
  defaultText: durationText(seconds),
});

export const waitOptions: readonly OptionSpec[] = [
  { flags: '--no-wait', description: 'do not wait until the change is complete', group: 'Change:' },
  {
    flags: '--timeout <time>',
    description: 'maximum time to wait, such as 90s or 5m',
    ...durationOption(300),
    group: 'Change:',
  },
];

/** A URL with the scheme http or https. */
export const httpAddress = (text: string): string => {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('expected a URL such as http://prometheus.monitoring:9090');
};

export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
  };
