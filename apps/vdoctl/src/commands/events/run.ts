import { eventComponents } from '@vdo/config/names';
import { type Event, events } from '@vdo/kube/types/core';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { age } from '../../output/age.ts';
import { printResult } from '../../output/print-result.ts';
import { type Paint, paintFor } from '../../output/style.ts';
import { renderTable } from '../../output/table.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import type { EventsFlags } from './command.ts';

/** Programs whose events belong here. */
const components: readonly string[] = Object.values(eventComponents);

const timeOf = (event: Event): string => event.lastTimestamp ?? event.metadata.creationTimestamp ?? '';

const componentOf = (event: Event): string => event.reportingComponent || event.source?.component || '';

interface Row {
  readonly time: string;
  readonly type: string;
  readonly reason: string;
  readonly object: string;
  readonly component: string;
  readonly count: number;
  readonly message: string;
}

const rowOf = (event: Event): Row => {
  const { kind, namespace, name } = event.involvedObject;
  return {
    time: timeOf(event),
    type: event.type,
    reason: event.reason,
    object: `${kind} ${namespace ? `${namespace}/` : ''}${name}`,
    component: componentOf(event),
    count: event.count ?? 1,
    message: event.message,
  };
};

/** The events of our programs since then, oldest first. */
export const selectEvents = (
  all: readonly Event[],
  options: { readonly sinceMs: number; readonly warnings: boolean },
): readonly Row[] =>
  all
    .filter((event) => components.includes(componentOf(event)))
    .filter((event) => Date.parse(timeOf(event)) >= options.sinceMs)
    .filter(({ type }) => !options.warnings || type === 'Warning')
    .map(rowOf)
    .sort((left, right) => left.time.localeCompare(right.time));

const columnsFor = (paint: Paint, nowMs: number) => [
  { title: 'age', value: (row: Row) => age(row.time, nowMs) },
  { title: 'type', value: (row: Row) => (row.type === 'Warning' ? paint('yellow', row.type) : row.type) },
  { title: 'reason', value: (row: Row) => row.reason },
  { title: 'object', value: (row: Row) => row.object },
  { title: 'from', value: (row: Row) => row.component, wide: true },
  { title: 'count', value: (row: Row) => String(row.count), wide: true },
  { title: 'message', value: (row: Row) => row.message },
];

/** vdoctl events */
export const listEvents: CommandRun<EventsFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube }) => {
    const nowMs = context.clock.now();
    const { items } = await kube.list(events, { signal: context.signal });
    const rows = selectEvents(items, { sinceMs: nowMs - flags.since * 1000, warnings: flags.warnings });
    printResult(context, flags.output, {
      data: rows,
      lines: (options) =>
        rows.length === 0
          ? ['Nothing was reported in that time.']
          : renderTable(columnsFor(paintFor(context, flags), nowMs), rows, options),
    });
    return exitCodes.done;
  });
