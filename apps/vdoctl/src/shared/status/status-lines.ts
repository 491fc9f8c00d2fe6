import type { HealthWord } from '@vdo/config/api/health';
import type { DriverStatus } from '@vdo/config/api/vsphere-drivers-status';
import { wrap } from '../../cli/wrap.ts';
import { age } from '../../output/age.ts';
import { remedyLines } from '../../output/remedy-lines.ts';
import type { Colour, Paint } from '../../output/style.ts';
import { alignRows, renderTable } from '../../output/table.ts';
import type { ClaimCounts, StatusReport } from './status-report.ts';

const colours: Readonly<Record<HealthWord, Colour>> = {
  Healthy: 'green',
  Attention: 'yellow',
  Progressing: 'cyan',
  Degraded: 'yellow',
  Unavailable: 'red',
  ActionRequired: 'red',
  Removing: 'cyan',
  Absent: 'yellow',
};

export interface ViewOptions {
  readonly paint: Paint;
  readonly wide: boolean;
  readonly width: number;
  readonly nowMs: number;
}

const count = (ready: { readonly ready: number; readonly desired: number } | undefined): string =>
  ready ? `${ready.ready}/${ready.desired}` : '-';

const driverColumns = [
  { title: 'driver', value: ({ kind }: DriverStatus) => kind },
  { title: 'distribution', value: ({ distribution }: DriverStatus) => distribution ?? '' },
  { title: 'version', value: ({ version }: DriverStatus) => version ?? '' },
  { title: 'target', value: ({ target }: DriverStatus) => target ?? '' },
  { title: 'available', value: ({ available }: DriverStatus) => available ?? '' },
  { title: 'controllers', value: ({ controllers }: DriverStatus) => count(controllers) },
  { title: 'nodes', value: ({ nodes }: DriverStatus) => count(nodes) },
];

const versionRows = ({ versions }: StatusReport): readonly (readonly string[])[] => [
  ...(versions.kubernetes ? [['Kubernetes', versions.kubernetes]] : []),
  ...(versions.vcenters ?? []).map(({ server, version, build }) => [
    `vCenter ${server}`,
    version ? `${version}${build ? ` (build ${build})` : ''}` : 'unknown',
  ]),
  ...(versions.operator ? [['Operator', versions.operator]] : []),
  ...(versions.matrix ? [['Matrix', `serial ${versions.matrix.serial}, from ${versions.matrix.source}`]] : []),
];

const checkedAgo = (time: string | undefined, nowMs: number): string =>
  time === undefined ? '' : `; checked ${age(time, nowMs)} ago`;

const claimsText = ({ pending, first }: ClaimCounts): string =>
  `${pending} pending: ${first.join(', ')}${pending > first.length ? ` and ${pending - first.length} more` : ''}`;

const counts = ({ nodes, volumes, claims, checks }: StatusReport, nowMs: number): readonly (readonly string[])[] => [
  ...(nodes ? [['Nodes', `${nodes.initialized} of ${nodes.total} initialised`]] : []),
  ...(volumes
    ? [
        [
          'Volumes',
          `${volumes.bound} bound, ${volumes.total - volumes.bound - volumes.failed} other, ${volumes.failed} failed`,
        ],
      ]
    : []),
  ...(claims && claims.pending > 0 ? [['Claims', claimsText(claims)]] : []),
  ...(checks
    ? [
        [
          'Checks',
          `${checks.pass} passed, ${checks.warn} warn, ${checks.fail} failed, ${checks.unknown} unknown${checkedAgo(checks.lastRunTime, nowMs)}`,
        ],
      ]
    : []),
];

/** What could not be judged follows from what failed, and would hide it. */
const told = ({ failing }: StatusReport, wide: boolean): StatusReport['failing'] =>
  wide || failing.every(({ result }) => result !== 'Fail')
    ? failing
    : failing.filter(({ result }) => result !== 'Unknown');

/** What could not be judged is counted under what failed. */
const unjudgedLines = ({ checks, failing }: StatusReport, wide: boolean): readonly string[] => {
  const unknown = checks?.unknown ?? 0;
  if (wide || unknown === 0 || failing.every(({ result }) => result !== 'Fail')) return [];
  return [
    `${unknown === 1 ? '1 check' : `${unknown} checks`} could not be judged because of this; -o wide lists them.`,
  ];
};

const indent = '        ';
const failingLines = (report: StatusReport, { paint, width, wide }: ViewOptions): readonly string[] => [
  ...told(report, wide).flatMap(({ id, result, object, message, remedy, commands }) => [
    `${paint(result === 'Fail' ? 'red' : 'yellow', result.padEnd(7))} ${id}${object ? `  ${object.kind} ${object.name}` : ''}`,
    ...wrap(message, { width, indent }),
    ...remedyLines({ remedy, commands }, { width, indent }),
  ]),
  ...(report.nodes?.failing ?? []).flatMap(({ name, reason, message, remedy }) => [
    `${paint('red', 'Node'.padEnd(7))} ${name}  ${reason}`,
    ...wrap(message, { width, indent }),
    ...remedyLines({ remedy }, { width, indent }),
  ]),
  ...unjudgedLines(report, wide),
];

/** Drivers that work while something is wrong around them: the word alone would be taken for an outage. */
const caveat = ({ health, conditions, checks }: StatusReport): string => {
  const works = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  if (health !== 'Degraded' || !works || !checks || checks.fail === 0) return '';
  return `The drivers run as specified, but ${checks.fail === 1 ? '1 check fails' : `${checks.fail} checks fail`}: see below.`;
};

/** The condition repeats the worst check with its remedy, for those who see nothing else; here both follow below. */
const headlineReason = ({ reason, failing }: StatusReport): string => {
  const worst = failing.find(({ id }) => reason.startsWith(`${id}, `));
  return worst ? `${worst.object ? `${worst.object.kind} ${worst.object.name}: ` : ''}${worst.message}` : reason;
};

const nextStep = (report: StatusReport): readonly string[] => {
  if (report.health === 'Absent')
    return ['Describe what is wanted with: vdoctl configure', 'Install the operator with:      vdoctl install'];
  if (report.health === 'Healthy') return [];
  return [
    'More: vdoctl doctor, vdoctl events, vdoctl logs; vdoctl explain WORD; after a repair: vdoctl status --refresh',
  ];
};

/** Blocks of lines with an empty line between them. */
const blocks = (...parts: readonly (readonly string[])[]): readonly string[] =>
  parts.filter((part) => part.length > 0).flatMap((part, index) => (index === 0 ? part : ['', ...part]));

/** The status for people: the one word first. */
export const statusLines = (report: StatusReport, options: ViewOptions): readonly string[] => {
  const { paint, width, wide, nowMs } = options;
  const headline = [
    `${paint('bold', paint(colours[report.health], report.health))}  ${report.server}`,
    ...[headlineReason(report), caveat(report)]
      .filter((text) => text !== '')
      .flatMap((text) => wrap(text, { width, indent: '  ' })),
  ];
  const drivers = report.drivers.length === 0 ? [] : renderTable(driverColumns, report.drivers);
  const facts = alignRows([...counts(report, nowMs), ...versionRows(report)]);
  const conditions = wide
    ? renderTable(
        [
          { title: 'condition', value: (row: StatusReport['conditions'][number]) => row.type },
          { title: 'status', value: (row) => row.status },
          { title: 'reason', value: (row) => row.reason },
          { title: 'since', value: (row) => row.lastTransitionTime },
          { title: 'message', value: (row) => row.message },
        ],
        report.conditions,
      )
    : [];
  return blocks(headline, drivers, facts, conditions, failingLines(report, options), nextStep(report));
};
