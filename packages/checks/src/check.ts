import type { ClusterFacts } from './facts.ts';

/**
 * - `Pass`: as it should be
 * - `Warn`: works, but will hurt
 * - `Fail`: does not work
 * - `Unknown`: the facts could not be read; something else says why
 * - `Skipped`: does not apply here
 */
export type CheckResult = 'Pass' | 'Warn' | 'Fail' | 'Unknown' | 'Skipped';

/** What a failure means for the operator, from harmless to worst; the worst of all checks counts. */
export const actionLadder = ['None', 'BlockUpgrade', 'BlockInstall', 'BlockUpgradeOrDegrade', 'Degrade'] as const;
export type Action = (typeof actionLadder)[number];

export const checkGroups = [
  'vcenter',
  'credentials',
  'privileges',
  'node',
  'topology',
  'storage',
  'csi',
  'versions',
  'cluster',
] as const;
export type CheckGroup = (typeof checkGroups)[number];

const minutes = (count: number) => count * 60_000;

/** How often the checks of a group run, before jitter, and whether a change of what they look at runs them too. */
export const cadence: Readonly<Record<CheckGroup, { readonly everyMs: number; readonly onWatch: boolean }>> = {
  vcenter: { everyMs: minutes(5), onWatch: false },
  credentials: { everyMs: minutes(5), onWatch: false },
  privileges: { everyMs: minutes(60), onWatch: false },
  node: { everyMs: minutes(15), onWatch: true },
  topology: { everyMs: minutes(60), onWatch: false },
  storage: { everyMs: minutes(60), onWatch: false },
  csi: { everyMs: minutes(15), onWatch: true },
  versions: { everyMs: minutes(60), onWatch: false },
  cluster: { everyMs: minutes(15), onWatch: true },
};

export interface CheckObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** What a check found out about one object. */
export interface Verdict {
  readonly result: CheckResult;
  /** CamelCase, for programs; an error code where an error was the cause. */
  readonly reason: string;
  /** The observed and the expected. */
  readonly message: string;
  /** What helps, in words; empty only for Pass and Skipped. */
  readonly remedy: string;
  /** Commands that do it, in order. They run as they are: nothing is left to fill in, and none deletes data. */
  readonly commands?: readonly string[];
  readonly object: CheckObject;
}

export interface CheckOutcome extends Verdict {
  readonly id: string;
  /** The action of the check if it failed, else `None`. */
  readonly action: Action;
}

/** What one check found in the whole cluster. Thousands of nodes that are fine are a number here. */
export interface CheckTally {
  readonly id: string;
  readonly counts: readonly { readonly kind: string; readonly result: CheckResult; readonly count: number }[];
  /** All failures, and of warnings and unknowns as many as a status shows, the worst ones. */
  readonly notable: readonly CheckOutcome[];
}

export interface Check {
  /** Group and name, such as `vcenter/dns`. */
  readonly id: `${CheckGroup}/${string}`;
  /** One sentence: what must hold. */
  readonly title: string;
  /** What it means when it does not hold, for the reference. */
  readonly meaning: string;
  /** What helps, in general, for the reference. */
  readonly remedy: string;
  /** What a failure means; `None` of a check that only warns. */
  readonly action: Action;
  /** Judges the list of all volumes, which is long in a large cluster. */
  readonly readsVolumes?: true;
  /** One verdict per object looked at; pure. */
  readonly judge: (facts: ClusterFacts) => readonly Verdict[];
}

export const groupOf = ({ id }: { readonly id: string }): CheckGroup => id.slice(0, id.indexOf('/')) as CheckGroup;

/** Where the check is described, relative to docs/reference. */
export const docsAnchor = (id: string): string => `checks.md#${id.toLowerCase().replace('/', '-')}`;

export const pass = (object: CheckObject, message: string): Verdict => ({
  result: 'Pass',
  reason: 'AsExpected',
  message,
  remedy: '',
  object,
});

export const skipped = (object: CheckObject, message: string): Verdict => ({
  result: 'Skipped',
  reason: 'NotApplicable',
  message,
  remedy: '',
  object,
});

/** The facts depend on something that failed; `because` names the check that tells. */
export const unknown = (object: CheckObject, message: string, because: string): Verdict => ({
  result: 'Unknown',
  reason: 'DependsOnFailure',
  message,
  remedy: `See ${because}.`,
  object,
});

interface Problem {
  readonly reason: string;
  readonly message: string;
  readonly remedy: string;
  readonly commands?: readonly string[];
}

/** Words and commands of a remedy in one line, for messages that have no more room. */
export const remedyLine = ({ remedy, commands = [] }: Pick<Verdict, 'remedy' | 'commands'>): string =>
  [remedy, commands.join('; ')].filter((part) => part !== '').join(' ');

export const fail = (object: CheckObject, problem: Problem): Verdict => ({ result: 'Fail', ...problem, object });
export const warn = (object: CheckObject, problem: Problem): Verdict => ({ result: 'Warn', ...problem, object });
