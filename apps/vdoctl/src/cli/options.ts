import { parseDurationMs } from '@vdo/config/duration';
import { names } from '@vdo/config/names';
import { nearest } from '@vdo/config/nearest';
import { InvalidArgumentError } from 'commander';
import type { OptionSpec } from './command.ts';

/** Formats that stand for themselves, and those that are followed by what is wanted of the document. */
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
  description: 'plain text; also by the variable NO_COLOR, and whenever the output is no terminal',
  group: 'Output:',
};

/** The word before an equals sign, with it: `jsonpath={.a}` → `jsonpath=`. */
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
  description: `how to print the result: ${known.join(', ')}`,
  completes: known.map(headOf),
  parse: parseFormat(known),
  default: 'table',
  group: 'Output:',
});

export const outputOptions: readonly OptionSpec[] = [formatOption(formats), noColorOption];
/** Of commands that list objects. */
export const listOutputOptions: readonly OptionSpec[] = [formatOption(listFormats), noColorOption];

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

export interface WatchFlags {
  readonly watch: boolean;
}

export const watchOption: OptionSpec = {
  flags: '-w, --watch',
  description: 'keep the view up to date until Ctrl-C; on a terminal it is redrawn in place',
  default: false,
};

export interface SelectorFlags {
  readonly selector?: string;
}

export const selectorOption = (of: string): OptionSpec => ({
  flags: '-l, --selector <labels>',
  description: `only ${of} with these labels, such as app=shop,tier!=web`,
});

/** Flags of lists of namespaced objects: as in kubectl, -n says whose objects, not where the operator lives. */
export interface NamespacedListFlags extends Omit<ClusterFlags, 'namespace'> {
  readonly namespace?: string;
  readonly allNamespaces: boolean;
  readonly operatorNamespace: string;
}

export const namespacedListOptions = (of: string): readonly OptionSpec[] => [
  {
    flags: '-n, --namespace <name>',
    description: `only ${of} of this namespace (default: all namespaces)`,
  },
  { flags: '-A, --all-namespaces', description: `${of} of all namespaces: the default`, default: false },
  ...clusterOptions.slice(0, 2),
  {
    flags: '--operator-namespace <name>',
    description: 'where the operator and the drivers live',
    default: names.namespace,
    group: 'Cluster:',
  },
];

/** Where such a list finds the operator. */
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

/** An address that can be asked over HTTP. */
export const httpAddress = (text: string): string => {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('expected an address such as http://prometheus.monitoring:9090');
};

export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
  };
