/** What ginkgo writes with --json-report, as far as it is read here. */
export type GinkgoReport = readonly {
  readonly SpecReports?: readonly {
    readonly ContainerHierarchyTexts?: readonly string[] | null;
    readonly LeafNodeType: string;
    readonly LeafNodeText: string;
    readonly State: string;
    readonly RunTime: number;
    readonly Failure?: { readonly Message?: string };
  }[];
}[];

export interface SuiteSpec {
  /** `[Testpattern: …] volumes should …`, without what all have in common. */
  readonly name: string;
  readonly seconds: number;
  /** Why it failed or was skipped. */
  readonly reason: string;
}

export interface SuiteSummary {
  readonly passed: readonly SuiteSpec[];
  readonly failed: readonly SuiteSpec[];
  readonly skipped: readonly SuiteSpec[];
}

const nanosecondsPerSecond = 1_000_000_000;
const nameOf = (texts: readonly string[]): string =>
  texts
    .filter((text) => !/^External Storage|^\[sig-storage\]|^External\.Storage/.test(text))
    .join(' ')
    .trim();
const firstLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? '';

/** Sorts what was run; what the focus left out is not counted. */
export const summarize = (report: GinkgoReport): SuiteSummary => {
  const specs = report
    .flatMap(({ SpecReports = [] }) => SpecReports)
    .filter(({ LeafNodeType }) => LeafNodeType === 'It');
  const pick = (states: readonly string[]): readonly SuiteSpec[] =>
    specs
      .filter(({ State }) => states.includes(State))
      .map(({ ContainerHierarchyTexts, LeafNodeText, RunTime, Failure }) => ({
        name: nameOf([...(ContainerHierarchyTexts ?? []), LeafNodeText]),
        seconds: Math.round(RunTime / nanosecondsPerSecond),
        reason: firstLine(Failure?.Message ?? ''),
      }))
      // Skipped without a reason are those that the focus left out.
      .filter(({ reason }) => !states.includes('skipped') || reason !== '');
  return {
    passed: pick(['passed']),
    failed: pick(['failed', 'panicked', 'timedout', 'interrupted', 'aborted']),
    skipped: pick(['skipped', 'pending']),
  };
};

const byReason = (specs: readonly SuiteSpec[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const { reason } of specs) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
};

/** For people: the numbers first, then what failed, then why others were not run. */
export const writeSummary = ({ passed, failed, skipped }: SuiteSummary): string =>
  [
    `${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`,
    '',
    ...(failed.length > 0 ? ['Failed:', ...failed.map(({ name, reason }) => `- ${name}: ${reason}`), ''] : []),
    'Skipped, by reason:',
    ...byReason(skipped).map(([reason, count]) => `- ${count}: ${reason}`),
    '',
    'Passed:',
    ...passed.map(({ name, seconds }) => `- ${name} (${seconds} s)`),
    '',
  ].join('\n');
