import { type VCenterFeatureId, vcenterFeatures } from '@vdo/config/vcenter-features';
import { checkReply, type Deviation } from '@vdo/vsphere-sim/version/check-reply';
import { renderTable } from '../../../output/table.ts';
import type { Exchange } from './exchange.ts';
import type { Qualification } from './run-qualify.ts';
import type { SiteNames } from './site.ts';
import type { Area, StepResult, Verdict } from './steps/step.ts';

export interface CallTimes {
  readonly call: string;
  readonly count: number;
  readonly medianMs: number;
  readonly maxMs: number;
}

/** Safe to publish: our own words, words of the vSphere API, and numbers. Names only if requested. */
export interface Report {
  readonly vdoctl: string;
  readonly vcenter: { readonly version: string; readonly build: string; readonly apiVersion: string };
  readonly writing: Qualification['writing'];
  readonly features: readonly {
    readonly feature: string;
    readonly verdict: Verdict;
    readonly because: string | null;
  }[];
  readonly steps: readonly {
    readonly step: string;
    readonly verdict: Verdict;
    readonly ms: number;
    readonly code: string | null;
    readonly because: string | null;
  }[];
  readonly calls: readonly CallTimes[];
  /** Replies that differ from the published types. */
  readonly deviations: readonly (Deviation & { readonly call: string })[];
  readonly removedBefore: number;
  readonly left: number | null;
  /** Only if requested. */
  readonly names?: Partial<SiteNames> & { readonly server: string; readonly errors: readonly string[] };
}

const tabled = ['/sdk', '/vsanHealth', '/pbm'];

const deviationsOf = (exchanges: readonly Exchange[]): Report['deviations'] => {
  const found = new Map<string, Deviation & { readonly call: string }>();
  for (const { call, path, action, status, contentType, reply } of exchanges) {
    if (!tabled.includes(path) || (status !== 200 && status !== 500) || contentType.includes('html')) continue;
    const [namespace = ''] = action.replaceAll('"', '').split('/');
    for (const deviation of checkReply(reply, { namespace, method: call }))
      found.set(`${call} ${deviation.path} ${deviation.what}`, { call, ...deviation });
  }
  return [...found.values()];
};

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

const timesOf = (exchanges: readonly Exchange[]): readonly CallTimes[] => {
  const byCall = new Map<string, number[]>();
  for (const { call, ms } of exchanges) byCall.set(call, [...(byCall.get(call) ?? []), ms]);
  return [...byCall]
    .map(([call, times]) => {
      const sorted = times.toSorted((a, b) => a - b);
      const medianMs = rounded(sorted[Math.floor((sorted.length - 1) / 2)] ?? 0);
      return { call, count: times.length, medianMs, maxMs: rounded(sorted.at(-1) ?? 0) };
    })
    .toSorted((left, right) => left.call.localeCompare(right.call));
};

const general: Readonly<Record<Exclude<Area, VCenterFeatureId>, string>> = {
  login: 'login',
  inventory: 'inventory',
  policies: 'storage policies',
  tags: 'tags',
};
const areas: Readonly<Record<Area, string>> = {
  ...general,
  ...(Object.fromEntries(Object.entries(vcenterFeatures).map(([id, { name }]) => [id, name])) as Record<
    VCenterFeatureId,
    string
  >),
};

/** A feature works if all its tested steps work. Reading alone proves nothing about features that write. */
const featureOf = (
  area: Area,
  all: readonly StepResult[],
  writing: Qualification['writing'],
): Report['features'][number] => {
  const own = all.filter((step) => step.area === area);
  const feature = areas[area];
  const failed = own.find(({ verdict }) => verdict === 'fails');
  const lacking = own.find(({ verdict }) => verdict === 'not offered');
  const skipped = own.find(({ verdict }) => verdict === 'not tried');
  if (failed) return { feature, verdict: 'fails', because: failed.step };
  if (lacking) return { feature, verdict: 'not offered', because: lacking.because ?? null };
  if (own.length === 0) {
    const because = writing === 'read-only' ? 'it needs --write' : 'no step was reached';
    return { feature, verdict: 'not tried', because };
  }
  if (skipped) return { feature, verdict: 'not tried', because: skipped.because ?? null };
  return { feature, verdict: 'works', because: writing === 'read-only' ? 'only read access was tested' : null };
};

export const reportOf = (
  { product, steps, writing, removedBefore, left }: Qualification,
  about: { readonly version: string; readonly exchanges: readonly Exchange[] },
): Report => ({
  vdoctl: about.version,
  vcenter: { version: product.version, build: product.build, apiVersion: product.apiVersion },
  writing,
  features: (Object.keys(areas) as Area[]).map((area) => featureOf(area, steps, writing)),
  steps: steps.map(({ step, verdict, ms, error, because }) => ({
    step,
    verdict,
    ms: rounded(ms),
    code: error?.code ?? null,
    because: because ?? null,
  })),
  calls: timesOf(about.exchanges),
  deviations: deviationsOf(about.exchanges),
  removedBefore,
  left: left ?? null,
});

export const isQualified = ({ steps, deviations, left }: Report): boolean =>
  steps.every(({ verdict }) => verdict !== 'fails') &&
  deviations.every(({ isUnknownType = false }) => isUnknownType) &&
  (left ?? 0) === 0;

const summary = ({ vcenter, deviations, left, writing }: Report): readonly string[] => {
  const real = deviations.filter(({ isUnknownType = false }) => !isUnknownType);
  return [
    `vCenter ${vcenter.version}, build ${vcenter.build}, API ${vcenter.apiVersion}.`,
    writing === 'read-only' ? 'Nothing was changed.' : `Leftover objects: ${left ?? 'unknown'}.`,
    real.length === 0
      ? 'All replies match the published types.'
      : `${real.length} differences between replies and the published types.`,
  ];
};

export const reportLines = (report: Report): readonly string[] => [
  ...summary(report),
  '',
  ...renderTable(
    [
      { title: 'feature', value: ({ feature }: Report['features'][number]) => feature },
      { title: 'result', value: ({ verdict }) => verdict },
      { title: 'reason', value: ({ because }) => because ?? '' },
    ],
    report.features,
  ),
  '',
  ...renderTable(
    [
      { title: 'step', value: ({ step }: Report['steps'][number]) => step },
      { title: 'result', value: ({ verdict }) => verdict },
      { title: 'ms', value: ({ ms }) => String(ms) },
      { title: 'code', value: ({ code }) => code ?? '' },
    ],
    report.steps,
  ),
  '',
  ...renderTable(
    [
      { title: 'call', value: ({ call }: CallTimes) => call },
      { title: 'count', value: ({ count }) => String(count) },
      { title: 'median ms', value: ({ medianMs }) => String(medianMs) },
      { title: 'max ms', value: ({ maxMs }) => String(maxMs) },
    ],
    report.calls,
  ),
  ...report.deviations.map(
    ({ call, path, what, isUnknownType }) => `${isUnknownType ? 'Note' : 'Differs'}: ${call}: ${path} ${what}.`,
  ),
  ...(report.names?.errors ?? []).map((error) => `Error: ${error}`),
];
