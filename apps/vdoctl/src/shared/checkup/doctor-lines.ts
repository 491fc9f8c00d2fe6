import type { CheckOutcome, CheckResult } from '@vdo/checks/check';
import type { MatrixFacts } from '@vdo/checks/facts';
import { worstFirst } from '@vdo/checks/summarize';
import { causesOf } from '@vdo/config/api/causes';
import { type Health, type HealthWord, healthOf, withLive } from '@vdo/config/api/health';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { causeLines } from '../../output/cause-lines.ts';
import { checkCountsText } from '../../output/check-counts.ts';
import { headlineLines } from '../../output/headline.ts';
import type { Paint } from '../../output/style.ts';

export const countOf = (outcomes: readonly CheckOutcome[], result: CheckResult): number =>
  outcomes.filter((outcome) => outcome.result === result).length;

const isFine = ({ result }: CheckOutcome): boolean => result === 'Pass' || result === 'Skipped';

const fromSource = (source: string): string => (source.startsWith('built') ? source : `from ${source}`);

/** The health as far as it follows from checks alone. */
const verdictOf = (counts: Readonly<Record<'fail' | 'warn' | 'unknown', number>>): HealthWord => {
  if (counts.fail > 0) return 'Degraded';
  return counts.unknown + counts.warn > 0 ? 'Attention' : 'Healthy';
};

/** The word of `vdoctl status`, but not a better one than the results below it; without a resource, what follows from the checks alone. */
const healthAbove = (
  resource: VSphereDrivers | undefined,
  bad: readonly CheckOutcome[],
  counts: Readonly<Record<'fail' | 'warn' | 'unknown', number>>,
): Health => {
  if (!resource) return { word: verdictOf(counts), reason: '' };
  const live = { fail: counts.fail, warn: counts.warn + counts.unknown, reason: '' };
  const { word, reason } = withLive(healthOf(resource), live);
  const isBelow = bad.some(({ id, message }) => reason.startsWith(`${id}, `) || reason.includes(message));
  return { word, reason: isBelow ? '' : reason };
};

/** The checks as text: first the result, then the problems, the worst first. */
export const doctorLines = (
  outcomes: readonly CheckOutcome[],
  options: {
    readonly paint: Paint;
    readonly width: number;
    readonly all: boolean;
    readonly matrix?: MatrixFacts | undefined;
    /** The resource whose health is shown. */
    readonly resource?: VSphereDrivers | undefined;
  },
): readonly string[] => {
  const { paint, width, matrix } = options;
  const fail = countOf(outcomes, 'Fail');
  const warn = countOf(outcomes, 'Warn');
  const unknown = countOf(outcomes, 'Unknown');
  const bad = outcomes.filter((outcome) => !isFine(outcome)).toSorted(worstFirst);
  const causes = options.all
    ? outcomes.toSorted(worstFirst).map((one) => ({ key: one.id, findings: [one] as const, hidden: 0 }))
    : causesOf(bad);
  const counts = { pass: countOf(outcomes, 'Pass'), fail, warn, unknown, skipped: countOf(outcomes, 'Skipped') };
  return [
    ...headlineLines(healthAbove(options.resource, bad, counts), { about: checkCountsText(counts), paint, width }),
    ...(matrix ? [paint('dim', `Compatibility matrix: serial ${matrix.serial}, ${fromSource(matrix.source)}.`)] : []),
    ...causes.flatMap((cause) => ['', ...causeLines(cause, { paint, width, more: '--all' })]),
  ];
};
