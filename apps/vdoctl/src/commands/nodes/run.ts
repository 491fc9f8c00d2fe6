import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import type { CheckGroup } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { causesOf } from '@vdo/config/api/causes';
import type { Health, LiveTrouble } from '@vdo/config/api/health';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { nearest } from '@vdo/config/nearest';
import { nodes } from '@vdo/kube/types/core';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { causeLines } from '../../output/cause-lines.ts';
import { headlineLines } from '../../output/headline.ts';
import { createLiveView, staleLines } from '../../output/live-view.ts';
import { type Paint, paintFor } from '../../output/style.ts';
import { renderTable } from '../../output/table.ts';
import { withCheckup } from '../../shared/checkup/checkup.ts';
import { vcenterPace, watchView } from '../../shared/cluster/watch-view.ts';
import { healthIn } from '../../shared/status/read-health.ts';
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
  { title: 'initialized', value: ({ initialized }: NodeRow) => (initialized ? 'yes' : paint('yellow', 'no')) },
  { title: 'problems', value: ({ problems }: NodeRow) => paint('red', problems.map(({ id }) => id).join(', ')) },
];

/** One message per cause: a problem of many nodes is printed once. */
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
    remedy: `${similar === undefined ? '' : `Did you mean ${similar}? `}Run vdoctl nodes to list all nodes.`,
  });
};

/** The nodes with these names and labels. An unknown name is an error: it may be a typing mistake. */
const choose = (
  all: readonly NodeRow[],
  wanted: readonly string[],
  labelled: ReadonlySet<string> | undefined,
): readonly NodeRow[] => {
  const names = wanted.map((name) => name.replace(/^nodes?\//, ''));
  const missing = names.find((name) => !all.some(({ node }) => node === name));
  if (missing !== undefined) throw noSuchNode(missing, all);
  return all.filter(({ node }) => (names.length === 0 || names.includes(node)) && (labelled?.has(node) ?? true));
};

const isSick = ({ problems }: NodeRow): boolean => problems.some(({ result }) => result === 'Fail');

/** vdoctl nodes */
export const listNodes: CommandRun<NodesFlags> = (context, flags, wanted) =>
  withCheckup(context, flags, { groups }, async ({ cluster: { kube, server }, observe }) => {
    const { signal, terminal } = context;
    const { selector } = flags;
    const paint = paintFor(context, flags);
    const view = createLiveView(context, flags.output);
    let last: { readonly rows: readonly NodeRow[]; readonly health: Health & { readonly about: string } } | undefined;
    const show = (problem?: string): void => {
      const { rows, health } = last ?? {};
      if (!rows || !health) return;
      const width = Math.min(terminal.columns ?? 100, 120);
      view.show({
        data: rows,
        names: rows.map(({ node }) => `node/${node}`),
        lines: (options) => [
          ...(rows.length === 0
            ? [selector === undefined ? 'The cluster has no nodes.' : `No node has the labels ${selector}.`]
            : [
                ...headlineLines(health, { about: health.about, paint, width }),
                '',
                ...renderTable(columnsFor(paint), rows, options),
                ...problemLines(rows, { paint, width }),
              ]),
          ...staleLines(problem),
        ],
      });
    };
    const read = async (): Promise<void> => {
      const facts = await observe();
      const labelled =
        selector === undefined
          ? undefined
          : new Set(
              (await kube.list(nodes, { labelSelector: selector, signal })).items.map(
                ({ metadata: { name = '' } }) => name,
              ),
            );
      const rows = choose(nodeRows(facts, runChecks(checksOf(allChecks, groups), facts)), wanted, labelled);
      last = { rows, health: await healthIn(kube, troubleOf(rows), { server, signal }) };
      show();
    };
    if (flags.watch)
      await watchView(
        context,
        { kube, resources: [nodes, vsphereDrivers], ...vcenterPace, redraw: { everyMs: 60_000, draw: show } },
        read,
      );
    else await read();
    return last?.rows.some(isSick) ? exitCodes.unhealthy : exitCodes.done;
  });
