import { allChecks } from '@vdo/checks/all-checks';
import { type Check, docsAnchor } from '@vdo/checks/check';
import { docsOf } from '../../cli/print-error.ts';
import alerts from '../../gen/alert-reference.json' with { type: 'json' };
import errors from '../../gen/error-reference.json' with { type: 'json' };
import metrics from '../../gen/metric-reference.json' with { type: 'json' };
import { type CheckReason, checkReasons } from './check-reasons.ts';
import { conditionMeanings, healthWordMeanings, reasonMeanings } from './status-words.ts';

export type WordKind = 'error' | 'check' | 'health' | 'condition' | 'reason' | 'metric' | 'alert';

export interface Explanation {
  readonly code: string;
  readonly kind: WordKind;
  readonly meaning: string;
  readonly remedy: string;
  readonly commands: readonly string[];
  readonly docs: string;
}

const statusDocs = 'docs/guides/health-checks.md';

const ofWords = (
  kind: WordKind,
  words: Readonly<
    Record<string, { readonly meaning: string; readonly remedy: string; readonly commands?: readonly string[] }>
  >,
): readonly Explanation[] =>
  Object.entries(words).map(([code, { meaning, remedy, commands = [] }]) => ({
    code,
    kind,
    meaning,
    remedy,
    commands,
    docs: statusDocs,
  }));

const ofCheck = ({ id, title, meaning, remedy }: Check): Explanation => ({
  code: id,
  kind: 'check',
  meaning: `${title} If not: ${meaning}`,
  remedy,
  commands: [`vdoctl doctor --only ${id}`],
  docs: `docs/reference/${docsAnchor(id)}`,
});

const ofCheckReason = ([code, own]: readonly [string, CheckReason]): readonly Explanation[] =>
  allChecks
    .filter(({ id }) => id === own.checks[0])
    .map((check) => ({
      ...ofCheck(check),
      code,
      kind: 'reason',
      meaning: `${own.meaning} ${own.remedy === undefined ? `${check.meaning} ` : ''}Health ${own.checks.length > 1 ? 'checks' : 'check'}: ${own.checks.join(', ')}.`,
      ...(own.remedy === undefined ? {} : { remedy: own.remedy }),
      ...(own.commands === undefined ? {} : { commands: own.commands }),
    }));

/** Metrics that show a problem for which there is no alert. */
const metricRemedies: Readonly<Record<string, string>> = {
  vdo_csi_cluster_id_shared: 'If the value is 1, see vdoctl explain ClusterIdShared.',
  vdo_csi_orphans: 'If the value is not 0, see vdoctl explain storage/orphan-volumes.',
  vdo_trace_spans_lost_total:
    'If the value grows, check the address of the collector and the network policy of the CSI controller. Volumes are not affected.',
};

const metricDocs = 'docs/reference/metrics.md';

const ofMetrics = (): readonly Explanation[] =>
  Object.entries(metrics).map(([code, { type, labels, meaning }]) => ({
    code,
    kind: 'metric',
    meaning: `A ${type}: ${meaning}.${labels === '' ? '' : ` Labels: ${labels}.`}`,
    remedy: metricRemedies[code] ?? 'No action needed. The alerts show which values are a problem.',
    commands: [],
    docs: metricDocs,
  }));

const ofAlerts = (): readonly Explanation[] =>
  Object.entries(alerts).map(([code, { meaning, runbook }]) => ({
    code,
    kind: 'alert',
    meaning,
    remedy: 'Follow the runbook. vdoctl status shows the current problems.',
    commands: ['vdoctl status'],
    docs: runbook,
  }));

/** Every word that VDO prints. One word may have several meanings: Degraded is a health and a condition. */
export const explanations = (): readonly Explanation[] => [
  ...Object.entries(errors).map(([code, { happened, remedy }]) => ({
    code,
    kind: 'error' as const,
    meaning: happened,
    remedy,
    commands: [],
    docs: docsOf(code),
  })),
  ...allChecks.map(ofCheck),
  ...ofWords('health', healthWordMeanings),
  ...ofWords('condition', conditionMeanings),
  ...ofWords('reason', reasonMeanings),
  ...Object.entries(checkReasons).flatMap(ofCheckReason),
  ...ofAlerts(),
  ...ofMetrics(),
];
