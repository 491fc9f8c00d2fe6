import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import { type Check, type CheckOutcome, checkGroups, docsAnchor, groupOf } from '@vdo/checks/check';
import { currentCheckId, findGroup } from '@vdo/checks/check-ids';
import type { ClusterFacts } from '@vdo/checks/facts';
import { runChecks } from '@vdo/checks/run-checks';
import { worstFirst } from '@vdo/checks/summarize';
import { nearest } from '@vdo/config/nearest';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { paintFor } from '../../output/style.ts';
import { checkup } from '../../shared/checkup/checkup.ts';
import { countOf, doctorLines } from '../../shared/checkup/doctor-lines.ts';
import type { DoctorFlags } from './command.ts';
import { fixLines, runFixes } from './fix.ts';
import { planFixes } from './fixes.ts';

/** The checks that --only selects, by group or ID; default: all. */
const chosenChecks = (only: readonly string[]): readonly Check[] => {
  const chosen = only.map((name) => {
    const group = findGroup(name);
    const found = allChecks.filter(
      (check) => check.id === currentCheckId(name) || (group !== undefined && groupOf(check) === group),
    );
    if (found.length > 0) return found;
    const similar = nearest(currentCheckId(name), [...checkGroups, ...allChecks.map(({ id }) => id)]);
    throw new VdoError({
      code: 'InvalidArgument',
      message: `--only ${name}: unknown check or group of checks`,
      remedy: `${similar === undefined ? '' : `Did you mean ${similar}? `}Groups: ${checkGroups.join(', ')}. Run vdoctl explain to list the checks.`,
    });
  });
  return chosen.length === 0 ? allChecks : allChecks.filter((check) => chosen.some((found) => found.includes(check)));
};

const linesOf = (
  context: CliContext,
  flags: DoctorFlags,
  { outcomes, facts }: { readonly outcomes: readonly CheckOutcome[]; readonly facts: ClusterFacts },
): readonly string[] =>
  doctorLines(outcomes, {
    matrix: chosenChecks(flags.only).some((check) => groupOf(check) === 'versions') ? facts.releases.matrix : undefined,
    paint: paintFor(context, flags),
    width: Math.min(context.terminal.columns ?? 100, 120),
    all: flags.all,
  });

const dataOf = (outcomes: readonly CheckOutcome[]) =>
  outcomes.toSorted(worstFirst).map((outcome) => ({ ...outcome, docs: `docs/reference/${docsAnchor(outcome.id)}` }));

const exitCodeFor = (outcomes: readonly CheckOutcome[]): number =>
  countOf(outcomes, 'Fail') > 0 ? exitCodes.unhealthy : exitCodes.done;

/** vdoctl doctor --fix: the table output shows the checks before and after; JSON and YAML only the second run. */
const fix = async (
  context: CliContext,
  flags: DoctorFlags,
  input: { readonly facts: ClusterFacts; readonly observe: () => Promise<readonly CheckOutcome[]> } & {
    readonly outcomes: readonly CheckOutcome[];
  },
): Promise<number> => {
  const { facts, observe, outcomes } = input;
  const plan = planFixes(outcomes, facts, {
    fromFile: flags.file !== undefined,
    powerCycle: flags.powerCycle,
  });
  const forPrograms = flags.output === 'json' || flags.output === 'yaml';
  const print = (data: unknown, lines: readonly string[]): void =>
    printResult(context, flags.output, { data, lines: () => lines });
  if (!forPrograms) print(undefined, [...linesOf(context, flags, { outcomes, facts }), ...fixLines(plan)]);
  const done = await runFixes(context, flags, plan, facts);
  const after = done ? await observe() : outcomes;
  if (forPrograms)
    print(
      {
        ...plan,
        cycles: plan.cycles.map(({ node, what }) => ({ node, what })),
        applied: done !== undefined,
        outcomes: dataOf(after),
      },
      [],
    );
  else if (done) print(undefined, ['', ...linesOf(context, flags, { outcomes: after, facts })]);
  return done && done.failed > 0 ? exitCodes.failed : exitCodeFor(after);
};

/** vdoctl doctor */
export const doctor: CommandRun<DoctorFlags> = async (context, flags) => {
  if (flags.powerCycle && !flags.fix) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: '--power-cycle requires --fix',
      remedy: 'To see what would be done: vdoctl doctor --fix --power-cycle --dry-run',
    });
  }
  const checks = chosenChecks(flags.only);
  const groups = [...new Set(checks.map(groupOf))];
  const facts = await checkup(context, flags, groups);
  const outcomes = runChecks(checks, facts);
  const observe = async () => runChecks(checks, await checkup(context, flags, groups));
  if (flags.fix) return fix(context, flags, { facts, observe, outcomes });
  printResult(context, flags.output, {
    data: dataOf(outcomes),
    lines: () => linesOf(context, flags, { outcomes, facts }),
  });
  return exitCodeFor(outcomes);
};
