import type { CommandRun } from '../../../cli/command-run.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { clusterOfList } from '../../../cli/options.ts';
import { printResult } from '../../../output/print-result.ts';
import { type Paint, paintFor } from '../../../output/style.ts';
import { renderTable } from '../../../output/table.ts';
import { namespaceOfList } from '../../../shared/cluster/list-namespace.ts';
import { withCluster } from '../../../shared/cluster/open-cluster.ts';
import type { TraceFlags } from '../command.ts';
import { gatherStory } from './gather-story.ts';
import { listMoments, type Moment } from './story.ts';

/** Of the Kubernetes API, which keeps whole seconds; logs have milliseconds. */
const isWholeSecond = ({ atMs }: Moment): boolean => atMs % 1000 === 0;

const timeText = (moment: Moment): string => {
  const text = new Date(moment.atMs).toISOString();
  return isWholeSecond(moment) ? text.replace('.000Z', 'Z') : text;
};

/** `+1.4s`, `+3m20s`: since the first moment. */
const afterText = (ms: number, wholeSecond: boolean): string => {
  const total = Math.max(0, ms) / 1000;
  if (total < 60) return `+${wholeSecond ? Math.floor(total) : total.toFixed(1)}s`;
  const minutes = Math.floor(total / 60);
  return minutes < 60 ? `+${minutes}m${Math.round(total % 60)}s` : `+${Math.floor(minutes / 60)}h${minutes % 60}m`;
};

const columnsFor = (paint: Paint, startMs: number) => [
  { title: 'time', value: timeText },
  { title: 'after', value: (moment: Moment) => afterText(moment.atMs - startMs, isWholeSecond(moment)) },
  { title: 'from', value: ({ from }: Moment) => from },
  { title: 'what', value: ({ what, isProblem }: Moment) => (isProblem ? paint('yellow', what) : what) },
];

/** Where vCenter writes down on whose behalf it was asked. */
const vcenterLogs = '/var/log/vmware/vpxd/vpxd*.log /var/log/vmware/vsan-health/vmware-vsan-health-service.log';

/** vdoctl volumes trace */
export const traceVolume: CommandRun<TraceFlags> = (context, flags, [wanted = '']) =>
  withCluster(context, clusterOfList(flags), async ({ kube }) => {
    const { signal, terminal } = context;
    const namespace = await namespaceOfList(kube, flags, signal);
    const question = {
      wanted,
      namespace,
      operatorNamespace: flags.operatorNamespace,
      sinceSeconds: flags.since,
    };
    const facts = await gatherStory(kube, question, signal);
    const moments = listMoments(facts);
    const operationId = `vdo-${facts.traceId}`;
    for (const line of facts.unread) terminal.err(`${line}\n`);
    printResult(context, flags.output, {
      data: {
        trace: facts.traceId,
        operationId,
        moments: moments.map(({ atMs, ...rest }) => ({ time: new Date(atMs).toISOString(), ...rest })),
      },
      lines: (options) => [
        ...(moments.length === 0
          ? ['Nothing is known of this volume: no object, event or log line mentions it.']
          : renderTable(columnsFor(paintFor(context, flags), moments[0]?.atMs ?? 0), moments, options)),
        '',
        ...(moments.some(isWholeSecond) && !moments.every(isWholeSecond)
          ? ['Times without milliseconds are from the Kubernetes API, which keeps whole seconds only.']
          : []),
        `Trace ID: ${facts.traceId}`,
        `In vCenter's logs: grep ${operationId} ${vcenterLogs}`,
      ],
    });
    return facts.unread.length > 0 ? exitCodes.failed : exitCodes.done;
  });
