import type { CheckOutcome, CheckResult } from '@vdo/checks/check';
import type { MatrixFacts } from '@vdo/checks/facts';
import { worstFirst } from '@vdo/checks/summarize';
import type { HealthWord } from '@vdo/config/api/health';
import { wrap } from '../../cli/wrap.ts';
import { remedyLines } from '../../output/remedy-lines.ts';
import type { Colour, Paint } from '../../output/style.ts';

const colours: Readonly<Record<CheckResult, Colour>> = {
  Fail: 'red',
  Warn: 'yellow',
  Unknown: 'yellow',
  Pass: 'green',
  Skipped: 'dim',
};

export const countOf = (outcomes: readonly CheckOutcome[], result: CheckResult): number =>
  outcomes.filter((outcome) => outcome.result === result).length;

const isFine = ({ result }: CheckOutcome): boolean => result === 'Pass' || result === 'Skipped';

const outcomeLines = (outcome: CheckOutcome, { paint, width }: { paint: Paint; width: number }): readonly string[] => {
  const { id, result, object, message } = outcome;
  const indent = '         ';
  return [
    `${paint(colours[result], result.padEnd(8))} ${id}  ${object.kind} ${object.name}`,
    ...wrap(message, { width, indent }),
    ...remedyLines(outcome, { width, indent }),
  ];
};

const fromSource = (source: string): string => (source.startsWith('built') ? source : `from ${source}`);

/** The words of `vdoctl status`, as far as checks alone tell. */
const verdictOf = (counts: Readonly<Record<'fail' | 'warn' | 'unknown', number>>, paint: Paint): string => {
  if (counts.fail > 0) return paint('red', 'Degraded' satisfies HealthWord);
  if (counts.unknown + counts.warn > 0) return paint('yellow', 'Attention' satisfies HealthWord);
  return paint('green', 'Healthy' satisfies HealthWord);
};

/** The checks for people: the verdict first, then what needs attention, the worst first. */
export const doctorLines = (
  outcomes: readonly CheckOutcome[],
  options: {
    readonly paint: Paint;
    readonly width: number;
    readonly all: boolean;
    readonly matrix?: MatrixFacts | undefined;
  },
): readonly string[] => {
  const { paint, matrix } = options;
  const fail = countOf(outcomes, 'Fail');
  const warn = countOf(outcomes, 'Warn');
  const unknown = countOf(outcomes, 'Unknown');
  // What could not be judged follows from what failed: hundreds of such lines would hide the cause.
  const hidden = options.all || fail === 0 ? 0 : unknown;
  const isShown = (outcome: CheckOutcome): boolean =>
    options.all || !(isFine(outcome) || (hidden > 0 && outcome.result === 'Unknown'));
  const shown = outcomes.filter(isShown).toSorted(worstFirst);
  const word = verdictOf({ fail, warn, unknown }, paint);
  return [
    `${paint('bold', word)}  ${countOf(outcomes, 'Pass')} passed, ${fail} failed, ${warn} ${warn === 1 ? 'warning' : 'warnings'}, ${unknown} unknown, ${countOf(outcomes, 'Skipped')} do not apply`,
    ...(matrix ? [paint('dim', `Releases by matrix ${matrix.serial}, ${fromSource(matrix.source)}.`)] : []),
    ...shown.flatMap((outcome) => ['', ...outcomeLines(outcome, options)]),
    ...(hidden > 0 ? ['', `${hidden} checks could not be judged because of this; --all lists them.`] : []),
  ];
};
