import { eventComponents } from '@vdo/config/names';
import { type Event, events } from '@vdo/kube/types/core';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { clusterOfList } from '../../cli/options.ts';
import { age } from '../../output/age.ts';
import { createLiveView, staleLines } from '../../output/live-view.ts';
import { type Paint, paintFor } from '../../output/style.ts';
import { renderTable } from '../../output/table.ts';
import { namespaceOfList } from '../../shared/cluster/list-namespace.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { watchView } from '../../shared/cluster/watch-view.ts';
import type { EventsFlags } from './command.ts';

/** Event sources that are listed. */
const components: readonly string[] = Object.values(eventComponents);

const timeOf = (event: Event): string => event.lastTimestamp ?? event.metadata.creationTimestamp ?? '';

const componentOf = (event: Event): string => event.reportingComponent || event.source?.component || '';

interface Row {
  readonly name: string;
  /** Namespace of the object. */
  readonly namespace: string | null;
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
    name: event.metadata.name ?? '',
    namespace: namespace || null,
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

const shortKinds: Readonly<Record<string, string>> = {
  no: 'node',
  po: 'pod',
  pv: 'persistentvolume',
  pvc: 'persistentvolumeclaim',
};

/** Whether an event is for an object given as NAME, NAMESPACE/NAME or KIND/NAME. */
const isAbout =
  (wanted: string) =>
  ({ object }: Row): boolean => {
    const [kind = '', path = ''] = object.split(' ');
    const name = path.split('/').at(-1) ?? '';
    const [head = '', ...rest] = wanted.split('/');
    if (rest.length === 0) return name === wanted;
    if (path === wanted) return true;
    const asked = (shortKinds[head] ?? head).toLowerCase();
    const isKind = [kind.toLowerCase(), `${kind.toLowerCase()}s`].includes(asked);
    return isKind && [name, path].includes(rest.join('/'));
  };

const nothing = (wanted: readonly string[], namespace: string | undefined): string => {
  const about = wanted.length === 0 ? '' : ` about ${wanted.join(', ')}`;
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `No events found${about}${where} in this period.`;
};

/** vdoctl events */
export const listEvents: CommandRun<EventsFlags> = (context, flags, wanted) =>
  withCluster(context, clusterOfList(flags), async ({ kube }) => {
    const { clock, signal } = context;
    const namespace = await namespaceOfList(kube, flags, signal);
    const view = createLiveView(context, flags.output);
    let rows: readonly Row[] = [];
    const show = (problem?: string): void =>
      view.show(
        {
          data: rows,
          names: rows.map(({ name }) => `event/${name}`),
          lines: (options) => [
            ...(rows.length === 0
              ? [nothing(wanted, namespace)]
              : renderTable(columnsFor(paintFor(context, flags), clock.now()), rows, options)),
            ...staleLines(problem),
          ],
        },
        'bottom',
      );
    const read = async (): Promise<void> => {
      const { items } = await kube.list(events, { signal });
      const found = selectEvents(items, { sinceMs: clock.now() - flags.since * 1000, warnings: flags.warnings });
      rows = found
        .filter((row) => namespace === undefined || row.namespace === namespace)
        .filter((row) => wanted.length === 0 || wanted.some((name) => isAbout(name)(row)));
      show();
    };
    const redraw = view.redraws ? { redraw: { everyMs: 5_000, draw: show } } : {};
    if (flags.watch) await watchView(context, { kube, resources: [events], restMs: 500, ...redraw }, read);
    else await read();
    return exitCodes.done;
  });
