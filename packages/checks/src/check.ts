import type { ClusterFacts } from './facts.ts';

/**
 * - `Pass`: as it should be
 * - `Warn`: works now, will cause problems
 * - `Fail`: does not work
 * - `Unknown`: the facts could not be read; another check shows why
 * - `Skipped`: does not apply here
 */
export type CheckResult = 'Pass' | 'Warn' | 'Fail' | 'Unknown' | 'Skipped';

/** What a failure means for the operator, from harmless to worst; the worst of all failures counts. */
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

/** How often the checks of a group run, before jitter, and whether a change of the objects they read runs them too. */
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

/** The result of a check for one object. */
export interface Verdict {
  readonly result: CheckResult;
  /** CamelCase, for programs; an error code where an error was the cause. */
  readonly reason: string;
  /** The observed and the expected value. */
  readonly message: string;
  /** What to do, as text; empty only for Pass and Skipped. */
  readonly remedy: string;
  /** Commands that do it, in order. They are complete, with nothing left to fill in, and none deletes data. */
  readonly commands?: readonly string[];
  readonly object: CheckObject;
}

export interface CheckOutcome extends Verdict {
  readonly id: string;
  /** The action of the check if it failed, else `None`. */
  readonly action: Action;
}

/** The result of one check for the whole cluster. Thousands of healthy nodes are one number here. */
export interface CheckTally {
  readonly id: string;
  readonly counts: readonly { readonly kind: string; readonly result: CheckResult; readonly count: number }[];
  /** All failures, and the worst warnings and unknowns, as many as a status shows. */
  readonly notable: readonly CheckOutcome[];
}

export interface Check {
  /** Group and name, such as `vcenter/dns`. */
  readonly id: `${CheckGroup}/${string}`;
  /** One sentence: what must hold. */
  readonly title: string;
  /** The consequence if it does not hold, for the reference. */
  readonly meaning: string;
  /** What to do in general, for the reference. */
  readonly remedy: string;
  /** What a failure means for the operator; `None` for a check that only warns. */
  readonly action: Action;
  /** The check reads the list of all volumes, which is long in a large cluster. */
  readonly readsVolumes?: true;
  /** One verdict per checked object; pure. */
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

/** The facts depend on something that failed; `because` names the check that shows the cause. */
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

/** Text and commands of a remedy in one line, for messages that must be short. */
export const remedyLine = ({ remedy, commands = [] }: Pick<Verdict, 'remedy' | 'commands'>): string =>
  [remedy, commands.join('; ')].filter((part) => part !== '').join(' ');

export const fail = (object: CheckObject, problem: Problem): Verdict => ({ result: 'Fail', ...problem, object });
export const warn = (object: CheckObject, problem: Problem): Verdict => ({ result: 'Warn', ...problem, object });
