import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import { type Check, type CheckOutcome, checkGroups, docsAnchor, groupOf } from '@vdo/checks/check';
import { currentCheckId, findGroup } from '@vdo/checks/check-ids';
import type { ClusterFacts } from '@vdo/checks/facts';
import { runChecks } from '@vdo/checks/run-checks';
import { worstFirst } from '@vdo/checks/summarize';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { nearest } from '@vdo/config/nearest';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { paintFor } from '../../output/style.ts';
import { checkupWithResource } from '../../shared/checkup/checkup.ts';
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

interface Judged {
  readonly outcomes: readonly CheckOutcome[];
  readonly facts: ClusterFacts;
  readonly resource: VSphereDrivers | undefined;
}

const linesOf = (context: CliContext, flags: DoctorFlags, { outcomes, facts, resource }: Judged): readonly string[] =>
  doctorLines(outcomes, {
    resource,
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
  before: Judged,
  observe: () => Promise<Judged>,
): Promise<number> => {
  const { facts, outcomes } = before;
  const plan = planFixes(outcomes, facts, {
    fromFile: flags.file !== undefined,
    powerCycle: flags.powerCycle,
  });
  const forPrograms = flags.output === 'json' || flags.output === 'yaml';
  const print = (data: unknown, lines: readonly string[]): void =>
    printResult(context, flags.output, { data, lines: () => lines });
  if (!forPrograms) print(undefined, [...linesOf(context, flags, before), ...fixLines(plan)]);
  const done = await runFixes(context, flags, plan, facts);
  const after = done ? await observe() : before;
  if (forPrograms)
    print(
      {
        ...plan,
        cycles: plan.cycles.map(({ node, what }) => ({ node, what })),
        applied: done !== undefined,
        outcomes: dataOf(after.outcomes),
      },
      [],
    );
  else if (done) print(undefined, ['', ...linesOf(context, flags, after)]);
  return done && done.failed > 0 ? exitCodes.failed : exitCodeFor(after.outcomes);
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
  const observe = async (): Promise<Judged> => {
    const found = await checkupWithResource(context, flags, groups);
    return { ...found, outcomes: runChecks(checks, found.facts) };
  };
  const judged = await observe();
  if (flags.fix) return fix(context, flags, judged, observe);
  printResult(context, flags.output, {
    data: dataOf(judged.outcomes),
    lines: () => linesOf(context, flags, judged),
  });
  return exitCodeFor(judged.outcomes);
};
