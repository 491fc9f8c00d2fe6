import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import type { CheckGroup } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { causesOf } from '@vdo/config/api/causes';
import type { LiveTrouble } from '@vdo/config/api/health';
import { nearest } from '@vdo/config/nearest';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { causeLines } from '../../output/cause-lines.ts';
import { headlineLines } from '../../output/headline.ts';
import { printResult } from '../../output/print-result.ts';
import { type Paint, paintFor } from '../../output/style.ts';
import { renderTable } from '../../output/table.ts';
import { checkup } from '../../shared/checkup/checkup.ts';
import { readHealth } from '../../shared/status/read-health.ts';
import type { NodesFlags } from './command.ts';
import { type NodeRow, nodeRows } from './rows.ts';

const groups: readonly CheckGroup[] = ['node'];

const columnsFor = (paint: Paint) => [
  { title: 'node', value: ({ node }: NodeRow) => node },
  { title: 'vm', value: ({ vm }: NodeRow) => vm ?? '' },
  { title: 'vcenter', value: ({ vcenter }: NodeRow) => vcenter ?? '' },
  { title: 'power', value: ({ power }: NodeRow) => power ?? '' },
  { title: 'tools', value: ({ tools }: NodeRow) => tools ?? '', wide: true },
  { title: 'hardware', value: ({ hardwareVersion }: NodeRow) => hardwareVersion?.toString() ?? '', wide: true },
  { title: 'uuid', value: ({ uuid }: NodeRow) => uuid ?? '', wide: true },
  { title: 'provider id', value: ({ providerId }: NodeRow) => providerId ?? '', wide: true },
  { title: 'addresses', value: ({ addresses }: NodeRow) => addresses.join(','), wide: true },
  { title: 'initialised', value: ({ initialized }: NodeRow) => (initialized ? 'yes' : paint('yellow', 'no')) },
  { title: 'problems', value: ({ problems }: NodeRow) => paint('red', problems.map(({ id }) => id).join(', ')) },
];

/** One cause, one message: what is wrong with many nodes is told once. */
const problemLines = (
  rows: readonly NodeRow[],
  view: { readonly paint: Paint; readonly width: number },
): readonly string[] =>
  causesOf(
    rows.flatMap(({ node, problems }) =>
      problems.map((problem) => ({ ...problem, object: { kind: 'Node', name: node } })),
    ),
  ).flatMap((cause) => ['', ...causeLines(cause, { ...view, more: 'vdoctl doctor --all --only node' })]);

const troubleOf = (rows: readonly NodeRow[]): LiveTrouble => {
  const withResult = (...results: readonly string[]) =>
    rows.filter(({ problems }) => problems.some(({ result }) => results.includes(result)));
  const [fail, warn] = [withResult('Fail'), withResult('Warn', 'Unknown')];
  const [worst] = [...fail, ...warn];
  return {
    fail: fail.length,
    warn: warn.length,
    reason: worst ? `Node ${worst.node}: ${worst.problems[0]?.message}` : '',
  };
};

const noSuchNode = (name: string, all: readonly NodeRow[]): VdoError => {
  const similar = nearest(
    name,
    all.map(({ node }) => node),
  );
  return new VdoError({
    code: 'KubeNotFound',
    message: `the cluster has no node ${name}`,
    remedy: `${similar === undefined ? '' : `Did you mean ${similar}? `}vdoctl nodes lists all.`,
  });
};

/** vdoctl nodes */
export const listNodes: CommandRun<NodesFlags> = async (context, flags, names) => {
  const facts = await checkup(context, flags, groups);
  const all = nodeRows(facts, runChecks(checksOf(allChecks, groups), facts));
  const missing = names.find((name) => !all.some(({ node }) => node === name));
  if (missing !== undefined) throw noSuchNode(missing, all);
  const rows = names.length === 0 ? all : all.filter(({ node }) => names.includes(node));
  const width = Math.min(context.terminal.columns ?? 100, 120);
  const paint = paintFor(context, flags);
  const health = await readHealth(context, flags, troubleOf(rows));
  printResult(context, flags.output, {
    data: rows,
    lines: (options) =>
      rows.length === 0
        ? ['The cluster has no nodes.']
        : [
            ...headlineLines(health, { about: health.about, paint, width }),
            '',
            ...renderTable(columnsFor(paint), rows, options),
            ...problemLines(rows, { paint, width }),
          ],
  });
  const sick = rows.some(({ problems }) => problems.some(({ result }) => result === 'Fail'));
  return sick ? exitCodes.unhealthy : exitCodes.done;
};
