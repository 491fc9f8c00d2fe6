import type { CheckOutcome, CheckResult } from '@vdo/checks/check';
import type { MatrixFacts } from '@vdo/checks/facts';
import { worstFirst } from '@vdo/checks/summarize';
import { causesOf } from '@vdo/config/api/causes';
import type { HealthWord } from '@vdo/config/api/health';
import { causeLines } from '../../output/cause-lines.ts';
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

/** The checks as text: first the result, then the problems, the worst first. */
export const doctorLines = (
  outcomes: readonly CheckOutcome[],
  options: {
    readonly paint: Paint;
    readonly width: number;
    readonly all: boolean;
    readonly matrix?: MatrixFacts | undefined;
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
  const counts = `${countOf(outcomes, 'Pass')} passed, ${fail} failed, ${warn} ${warn === 1 ? 'warning' : 'warnings'}, ${unknown} unknown, ${countOf(outcomes, 'Skipped')} skipped`;
  return [
    ...headlineLines({ word: verdictOf({ fail, warn, unknown }), reason: '' }, { about: counts, paint, width }),
    ...(matrix ? [paint('dim', `Compatibility matrix: serial ${matrix.serial}, ${fromSource(matrix.source)}.`)] : []),
    ...causes.flatMap((cause) => ['', ...causeLines(cause, { paint, width, more: '--all' })]),
  ];
};
