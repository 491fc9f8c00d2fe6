import { healthOf, type LiveTrouble, withLive } from '@vdo/config/api/health';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { eventComponents } from '@vdo/config/names';
import type { Event, Node } from '@vdo/kube/types/core';
import type { CallHistory, DashboardModel, Gap, Summary } from '../model.ts';
import type { Attention } from '../rows/attention-row.ts';
import type { EventRow, Health } from '../rows/place-rows.ts';
import type { MomentRow, SampleRow } from '../rows/time-rows.ts';
import { attentionOf } from './attention.ts';
import { createNodeMemory, datastoreRows, hostRows, nodeRows, type PlaceFacts, policyRows } from './place-rows.ts';
import type { NodePlace } from './places-note.ts';
import type { VolumeFacts } from './volume-facts.ts';
import { createVolumeMemory, volumeRows } from './volume-rows.ts';

export interface DashboardFacts extends VolumeFacts {
  readonly cluster: string;
  readonly stale: string;
  readonly setup: Summary['setup'];
  readonly resource: VSphereDrivers | undefined;
  readonly nodes: readonly Node[];
  readonly events: readonly Event[];
  readonly places: readonly NodePlace[];
  readonly gaps: readonly Gap[];
  readonly calls: CallHistory | null;
  readonly samples: readonly SampleRow[];
  readonly moments: readonly MomentRow[];
  readonly watchedSinceMs: number;
  readonly growth: PlaceFacts['growth'];
  /** Who counted `samples`, if it was not this server; else empty. */
  readonly ratesOf: string;
}

/** Events of other programs are left to kubectl. */
const components: readonly string[] = Object.values(eventComponents);
const shownEvents = 500;

const eventOf = (event: Event): EventRow => {
  const { kind = '', namespace, name = '' } = event.involvedObject;
  const { metadata } = event;
  return {
    key: metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
    time: event.lastTimestamp ?? metadata.creationTimestamp ?? '',
    type: event.type,
    reason: event.reason,
    object: { kind, name, ...(namespace ? { namespace } : {}) },
    message: event.message,
    count: event.count ?? 1,
  };
};

const recentEvents = (events: readonly Event[]): readonly EventRow[] =>
  events
    .filter((event) => components.includes(event.reportingComponent || event.source?.component || ''))
    .map(eventOf)
    .sort((left, right) => right.time.localeCompare(left.time))
    .slice(0, shownEvents);

const healthOfResult = { Fail: 'bad', Warn: 'warn', Unknown: 'unknown' } as const;

/** What the checks say about objects, the worst of each. */
const problemsOf = ({ resource }: DashboardFacts): PlaceFacts['problems'] => {
  const problems = new Map<string, { readonly health: Health; readonly message: string }>();
  const { checks, nodes } = resource?.status ?? {};
  // What could not be judged says nothing about the object.
  for (const { object, result, message } of checks?.failing ?? []) {
    if (!object || result === 'Unknown') continue;
    const key = `${object.kind} ${object.name}`;
    if (problems.get(key)?.health !== 'bad') problems.set(key, { health: healthOfResult[result], message });
  }
  for (const { name, message } of nodes?.failing ?? []) problems.set(`Node ${name}`, { health: 'bad', message });
  return problems;
};

const inventoryTime = ({ inventory }: DashboardFacts): number | null => {
  const times = inventory.vcenters.flatMap(({ volumesAtMs }) => (volumesAtMs === undefined ? [] : [volumesAtMs]));
  return times.length === 0 ? null : Math.min(...times);
};

/** What the page shows to be wrong, whether or not a check has seen it. */
const liveTrouble = (attention: readonly Attention[]): LiveTrouble => {
  const ofSeverity = (severity: Attention['severity']) => attention.filter((one) => one.severity === severity);
  const [worst] = attention;
  return {
    fail: ofSeverity('fail').length,
    warn: ofSeverity('warn').length + ofSeverity('unknown').length,
    reason: worst ? `${worst.title}: ${worst.message}` : '',
  };
};

const badWhenTrue: readonly string[] = ['Degraded', 'Stalled'];

/** Conditions say since when they hold, also of a time that this server did not see. */
const conditionMoments = ({ resource, watchedSinceMs }: DashboardFacts): readonly MomentRow[] =>
  (resource?.status?.conditions ?? []).flatMap(({ type, status, message, lastTransitionTime }) => {
    const atMs = Date.parse(lastTransitionTime);
    if (type === 'Progressing' || status === 'Unknown' || !(atMs < watchedSinceMs)) return [];
    const isBad = (status === 'True') === badWhenTrue.includes(type);
    const title = `${type} ${status}`;
    const key = `condition/${type}`;
    return [{ key, atMs, kind: isBad ? 'fault' : 'over', health: isBad ? 'bad' : 'good', title, message } as const];
  });

/** What makes the next build cheap. Rows are the same with it and without. */
export const createModelMemory = () => ({ nodes: createNodeMemory(), volumes: createVolumeMemory() });

/** The page's facts, as a pure function of what was observed. */
export const buildModel = (
  facts: DashboardFacts,
  memory: ReturnType<typeof createModelMemory> = createModelMemory(),
): DashboardModel => {
  const { resource, nodes: clusterNodes } = facts;
  const status = resource?.status;
  const { failing: _, ...counts } = status?.checks ?? {};
  const places: PlaceFacts = { ...facts, problems: problemsOf(facts) };
  const nodes = nodeRows(places, memory.nodes);
  const volumes = volumeRows(facts, memory.volumes);
  const attention = attentionOf({ status, nodes, volumes });
  const { word, reason } = withLive(healthOf(resource), liveTrouble(attention));
  const vcenterGaps = facts.inventory.vcenters.flatMap(({ vcenter, problem }) =>
    problem === '' ? [] : [{ what: `Volumes of ${vcenter}`, why: problem }],
  );
  return {
    asOfMs: facts.nowMs,
    summary: {
      cluster: facts.cluster,
      health: word,
      reason,
      stale: facts.stale,
      setup: facts.setup,
      conditions: status?.conditions ?? [],
      drivers: status?.drivers ?? [],
      versions: status?.versions ?? {},
      vcenters: (resource?.spec?.vcenters ?? []).map(({ server }) => server),
      nodes: { total: clusterNodes.length, initialized: status?.nodes?.initialized ?? 0 },
      checks: status?.checks ? (counts as Summary['checks']) : null,
      attention,
      inventoryAtMs: inventoryTime(facts),
      gaps: [...facts.gaps, ...vcenterGaps],
      watchedSinceMs: facts.watchedSinceMs,
      ratesOf: facts.ratesOf,
      calls: facts.calls,
    },
    tables: {
      nodes,
      hosts: hostRows(places),
      volumes,
      datastores: datastoreRows(places),
      policies: policyRows(places),
      events: recentEvents(facts.events),
      samples: facts.samples,
      moments: [...conditionMoments(facts), ...facts.moments],
    },
  };
};
