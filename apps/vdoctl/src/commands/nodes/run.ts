import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import type { CheckGroup } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { nearest } from '@vdo/config/nearest';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { wrap } from '../../cli/wrap.ts';
import { printResult } from '../../output/print-result.ts';
import { remedyLines } from '../../output/remedy-lines.ts';
import { type Paint, paintFor } from '../../output/style.ts';
import { renderTable } from '../../output/table.ts';
import { checkup } from '../../shared/checkup/checkup.ts';
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

const problemLines = (rows: readonly NodeRow[], width: number): readonly string[] =>
  rows.flatMap(({ node, problems }) =>
    problems.flatMap((problem) => [
      '',
      `${node}: ${problem.id}`,
      ...wrap(problem.message, { width, indent: '  ' }),
      ...remedyLines(problem, { width, indent: '  ' }),
    ]),
  );

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
  printResult(context, flags.output, {
    data: rows,
    lines: (options) =>
      rows.length === 0
        ? ['The cluster has no nodes.']
        : [...renderTable(columnsFor(paintFor(context, flags)), rows, options), ...problemLines(rows, width)],
  });
  const sick = rows.some(({ problems }) => problems.some(({ result }) => result === 'Fail'));
  return sick ? exitCodes.unhealthy : exitCodes.done;
};
