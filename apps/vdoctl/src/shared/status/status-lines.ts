import { causesOf } from '@vdo/config/api/causes';
import type { DriverStatus } from '@vdo/config/api/vsphere-drivers-status';
import { age } from '../../output/age.ts';
import { causeLines } from '../../output/cause-lines.ts';
import { checkCountsText } from '../../output/check-counts.ts';
import { headlineLines } from '../../output/headline.ts';
import type { Paint } from '../../output/style.ts';
import { alignRows, renderTable } from '../../output/table.ts';
import type { ClaimCounts, StatusReport, VolumeCounts } from './status-report.ts';

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
  { title: 'newer', value: ({ available }: DriverStatus) => available ?? '' },
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

/** By phase; those that no volume is in are left out. */
const volumesText = ({ total, bound, failed, released = 0, available = 0 }: VolumeCounts): string => {
  const pending = total - bound - failed - released - available;
  const parts = [
    [bound, 'bound'],
    [available, 'available'],
    [released, 'released (its claim was deleted)'],
    [pending, 'pending'],
    [failed, 'failed'],
  ] as const;
  return parts
    .filter(([number, phase]) => number > 0 || phase === 'bound' || phase === 'failed')
    .map(([number, phase]) => `${number} ${phase}`)
    .join(', ');
};

const claimsText = ({ pending, first }: ClaimCounts): string =>
  `${pending} pending: ${first.join(', ')}${pending > first.length ? ` and ${pending - first.length} more` : ''}`;

const counts = ({ nodes, volumes, claims, checks }: StatusReport, nowMs: number): readonly (readonly string[])[] => [
  ...(nodes ? [['Nodes', `${nodes.initialized} of ${nodes.total} initialized`]] : []),
  ...(volumes ? [['Volumes', volumesText(volumes)]] : []),
  ...(claims && claims.pending > 0 ? [['Claims', claimsText(claims)]] : []),
  ...(checks
    ? [
        [
          'Checks',
          `${checkCountsText({ ...checks, skipped: checks.skipped ?? 0 })}${checkedAgo(checks.lastRunTime, nowMs)}`,
        ],
      ]
    : []),
];

/** One message per cause. With -o wide, one per check. */
const causesIn = ({ failing, checks }: StatusReport, wide: boolean) =>
  wide
    ? failing.map((one) => ({ key: one.id, findings: [one] as const, hidden: 0 }))
    : causesOf(failing, checks?.unknown ?? 0);

/** The resource keeps the worst results only. */
const isCut = ({ checks, failing }: StatusReport): boolean =>
  checks !== null && checks.fail + checks.warn + checks.unknown > failing.length;

const cutLines = (report: StatusReport, { wide }: ViewOptions): readonly string[] =>
  wide && isCut(report) && report.checks
    ? [
        `These are the ${report.failing.length} worst of ${report.checks.fail + report.checks.warn + report.checks.unknown} results. To list all: vdoctl doctor --all`,
      ]
    : [];

const failingLines = (report: StatusReport, { paint, width, wide }: ViewOptions): readonly string[] => {
  const reported = new Set(report.failing.map(({ object }) => (object?.kind === 'Node' ? object.name : '')));
  const nodes = (report.nodes?.failing ?? []).filter(({ name }) => !reported.has(name));
  const causes = [
    ...causesIn(report, wide),
    ...nodes.map(({ name, ...one }) => ({
      key: name,
      findings: [{ ...one, id: 'node', result: 'Fail', object: { kind: 'Node', name } }] as const,
      hidden: 0,
    })),
  ];
  return causes.flatMap((cause, index) => [
    ...(index === 0 ? [] : ['']),
    ...causeLines(cause, { paint, width, more: isCut(report) ? 'vdoctl doctor --all' : 'vdoctl status -o wide' }),
  ]);
};

/** Active faults of a sandbox, with the short way to remove them. */
const brokenLines = ({ broken = [], health }: StatusReport): readonly string[] =>
  broken.flatMap(({ name, reported }) => [
    `Fault injected in this sandbox: ${reported}`,
    // Whether a fault was repaired otherwise is known to the checks alone.
    ...(health === 'Healthy' ? ['  No check finds a problem. If you have repaired it, this removes the entry:'] : []),
    `  vdoctl sandbox heal ${name}`,
  ]);

/** If the drivers work and a check fails, the word Degraded alone would look like an outage. */
const caveat = ({ health, conditions, checks }: StatusReport): string => {
  const works = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  if (health !== 'Degraded' || !works || !checks || checks.fail === 0) return '';
  return `The drivers run as specified, but ${checks.fail === 1 ? '1 check fails' : `${checks.fail} checks fail`}:`;
};

/** The condition repeats a check with its remedy, for other tools; here both are printed below. */
const headlineReason = ({ reason, failing }: StatusReport): string =>
  failing.some(({ id, message }) => reason.startsWith(`${id}, `) || reason.includes(message)) ? '' : reason;

const nextStep = (report: StatusReport): readonly string[] => {
  if (report.health === 'Absent')
    return ['Install the operator:  vdoctl install', 'Set up the drivers:    vdoctl configure'];
  if (report.health === 'Healthy') return [];
  return ['More: vdoctl doctor, vdoctl events, vdoctl logs, vdoctl explain WORD. After a fix: vdoctl status --refresh'];
};

/** Blocks of lines with an empty line between them. */
const blocks = (...parts: readonly (readonly string[])[]): readonly string[] =>
  parts.filter((part) => part.length > 0).flatMap((part, index) => (index === 0 ? part : ['', ...part]));

/** The status as text: the health first. */
export const statusLines = (report: StatusReport, options: ViewOptions): readonly string[] => {
  const { paint, width, wide, nowMs } = options;
  const reason = [headlineReason(report), caveat(report)].filter((text) => text !== '').join('\n');
  const headline = headlineLines({ word: report.health, reason }, { about: report.server, paint, width });
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
  return blocks(
    headline,
    failingLines(report, options),
    cutLines(report, options),
    brokenLines(report),
    drivers,
    facts,
    conditions,
    nextStep(report),
  );
};
