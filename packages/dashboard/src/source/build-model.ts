import { healthOf } from '@vdo/config/api/health';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { eventComponents, names } from '@vdo/config/names';
import type { Event, Node, PersistentVolume } from '@vdo/kube/types/core';
import type { CallHistory, DashboardEvent, DashboardModel } from '../model.ts';
import { type NodePlace, topologyOf } from './topology.ts';

export interface DashboardFacts {
  readonly cluster: string;
  readonly nowMs: number;
  readonly stale: string;
  readonly resource: VSphereDrivers | undefined;
  readonly nodes: readonly Node[];
  readonly volumes: readonly PersistentVolume[];
  readonly events: readonly Event[];
  readonly places: readonly NodePlace[];
  readonly calls: CallHistory | null;
}

/** Events of other programs are left to kubectl. */
const components: readonly string[] = Object.values(eventComponents);
const shownEvents = 100;

const eventOf = (event: Event): DashboardEvent => {
  const { kind, namespace, name } = event.involvedObject;
  return {
    time: event.lastTimestamp ?? event.metadata.creationTimestamp ?? '',
    type: event.type,
    reason: event.reason,
    object: `${kind} ${namespace ? `${namespace}/` : ''}${name}`,
    message: event.message,
    count: event.count ?? 1,
  };
};

const recentEvents = (events: readonly Event[]): readonly DashboardEvent[] =>
  events
    .filter((event) => components.includes(event.reportingComponent || event.source?.component || ''))
    .map(eventOf)
    .sort((left, right) => right.time.localeCompare(left.time))
    .slice(0, shownEvents);

const volumeCounts = (volumes: readonly PersistentVolume[]): DashboardModel['volumes'] => {
  const ours = volumes.filter(({ spec }) => spec.csi?.driver === names.csiDriver);
  const inPhase = (phase: string): number => ours.filter(({ status }) => status?.phase === phase).length;
  return { total: ours.length, bound: inPhase('Bound'), failed: inPhase('Failed') };
};

/** `kind name` of an object → what is wrong with it. */
const problemsOf = ({ resource }: DashboardFacts): ReadonlyMap<string, string> => {
  const failed = (resource?.status?.checks?.failing ?? []).filter(({ result }) => result === 'Fail');
  return new Map([
    ...failed.flatMap(({ object, message }) => (object ? [[`${object.kind} ${object.name}`, message] as const] : [])),
    ...(resource?.status?.nodes?.failing ?? []).map(({ name, message }) => [`Node ${name}`, message] as const),
  ]);
};

/** The page's facts, as a pure function of what was observed. */
export const buildModel = (facts: DashboardFacts): DashboardModel => {
  const { resource, nodes } = facts;
  const status = resource?.status;
  const { word, reason } = healthOf(resource);
  const { failing = [], ...counts } = status?.checks ?? {};
  return {
    cluster: facts.cluster,
    health: word,
    reason,
    asOfMs: facts.nowMs,
    stale: facts.stale,
    conditions: status?.conditions ?? [],
    drivers: status?.drivers ?? [],
    versions: status?.versions ?? {},
    nodes: { total: nodes.length, initialized: status?.nodes?.initialized ?? 0 },
    volumes: volumeCounts(facts.volumes),
    checks: status?.checks ? (counts as DashboardModel['checks']) : null,
    failing,
    events: recentEvents(facts.events),
    topology: topologyOf({
      nodes,
      places: facts.places,
      vcenters: (resource?.spec?.vcenters ?? []).map(({ server }) => server),
      problems: problemsOf(facts),
    }),
    calls: facts.calls,
  };
};
