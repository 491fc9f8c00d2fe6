import { allChecks } from '@vdo/checks/all-checks';
import { type Check, docsAnchor } from '@vdo/checks/check';
import { docsOf } from '../../cli/print-error.ts';
import alerts from '../../gen/alert-reference.json' with { type: 'json' };
import errors from '../../gen/error-reference.json' with { type: 'json' };
import metrics from '../../gen/metric-reference.json' with { type: 'json' };
import type { CheckReason } from './check-reason.ts';
import { checkReasons } from './check-reasons.ts';
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

const namesOf = (ids: readonly string[]): string =>
  ids.length < 2 ? `check ${ids.join()}` : `checks ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;

const ofCheckReason = ([code, reason]: readonly [string, CheckReason]): Explanation => {
  const { checks, meaning, remedy, commands = [`vdoctl doctor --only ${checks.join()}`] } = reason;
  return {
    code,
    kind: 'reason',
    meaning: `${meaning} Found by the ${namesOf(checks)}.`,
    remedy,
    commands,
    docs: `docs/reference/${docsAnchor(checks[0] ?? '')}`,
  };
};

const metricDocs = 'docs/reference/metrics.md';

const ofMetrics = (): readonly Explanation[] =>
  Object.entries(metrics).map(([code, { type, labels, meaning, problem }]) => ({
    code,
    kind: 'metric',
    meaning: `A ${type}: ${meaning}.${labels === '' ? '' : ` Labels: ${labels}.`}`,
    remedy: problem === '' ? 'Nothing: it is a measurement.' : `It is a problem if ${problem}.`,
    commands: [],
    docs: metricDocs,
  }));

const ofAlerts = (): readonly Explanation[] =>
  Object.entries(alerts).map(([code, { meaning, runbook }]) => ({
    code,
    kind: 'alert',
    meaning,
    remedy: 'Follow the runbook. vdoctl status names the objects and the remedy for each.',
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
  ...Object.entries(checkReasons).map(ofCheckReason),
  ...ofAlerts(),
  ...ofMetrics(),
];
