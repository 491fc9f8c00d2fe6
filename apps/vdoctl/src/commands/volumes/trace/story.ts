import type { Event, PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { fieldTexts, parseLogLine } from '../../../output/readable-line.ts';

export interface LogLine {
  /** The pod that wrote it. */
  readonly pod: string;
  readonly line: string;
}

export interface StoryFacts {
  readonly claim: PersistentVolumeClaim | undefined;
  readonly volume: PersistentVolume | undefined;
  readonly attachments: readonly VolumeAttachment[];
  readonly events: readonly Event[];
  readonly lines: readonly LogLine[];
  /** The UID of the claim. */
  readonly traceId: string;
}

/** One moment in the life of a volume. */
export interface Moment {
  readonly atMs: number;
  /** Who says so: a component, a pod, or the API server. */
  readonly from: string;
  readonly what: string;
  readonly isProblem: boolean;
}

const created = (kind: string, object: { readonly metadata: PersistentVolume['metadata'] } | undefined): Moment[] => {
  const { creationTimestamp, deletionTimestamp, name = '' } = object?.metadata ?? {};
  const moment = (time: string | undefined, what: string): Moment[] =>
    time === undefined ? [] : [{ atMs: Date.parse(time), from: 'API server', what, isProblem: false }];
  return [
    ...moment(creationTimestamp, `${kind} ${name} created`),
    ...moment(deletionTimestamp, `deletion of ${kind} ${name} requested`),
  ];
};

const ofEvent = (event: Event): Moment => {
  const { type, reason, message, involvedObject, count = 1 } = event;
  const times = count > 1 ? ` (${count} times)` : '';
  return {
    atMs: Date.parse(event.lastTimestamp ?? event.metadata.creationTimestamp ?? ''),
    from: event.reportingComponent || event.source?.component || 'event',
    what: `${reason} on ${involvedObject.kind} ${involvedObject.name}${times}: ${message}`,
    isProblem: type === 'Warning',
  };
};

const seconds = (value: unknown): string =>
  typeof value === 'number' ? ` in ${value < 10 ? value.toFixed(1) : Math.round(value)} s` : '';

const shownElsewhere = new Set(['level', 'time', 'msg', 'app', 'name', 'trace', 'method', 'seconds', 'volumeId']);

/** A line of the log of a driver, if it is about this volume. */
const ofLine = ({ pod, line }: LogLine, ids: ReadonlySet<string>): Moment | undefined => {
  const entry = parseLogLine(line);
  if (typeof entry?.['msg'] !== 'string') return undefined;
  const { msg, method, level } = entry;
  if (!['trace', 'volumeId', 'name', 'volume'].some((field) => ids.has(String(entry[field])))) return undefined;
  const rest = fieldTexts(Object.fromEntries(Object.entries(entry).filter(([key]) => !shownElsewhere.has(key))));
  const head =
    typeof method === 'string'
      ? `${method} ${msg.endsWith('failed') ? 'failed' : 'done'}${seconds(entry['seconds'])}`
      : msg;
  return {
    atMs: Date.parse(String(entry['time'])),
    from: pod,
    what: [head, ...rest].join(' '),
    isProblem: level === 'warn' || level === 'error',
  };
};

/** What comes first of what happens within one second. */
const sequence = [
  /^PersistentVolumeClaim \S+ created/,
  /^Provisioning(?!Succeeded)/,
  /^CreateVolume /,
  /^PersistentVolume \S+ created/,
  /^ProvisioningSucceeded/,
  /^VolumeAttachment \S+ created/,
];
const rankOf = ({ what }: Moment): number => {
  const rank = sequence.findIndex((pattern) => pattern.test(what));
  return rank < 0 ? sequence.length : rank;
};

/** The API server gives times in seconds, logs in milliseconds: within a second the order is that of the work. */
const inOrder = (one: Moment, other: Moment): number =>
  Math.floor(one.atMs / 1000) - Math.floor(other.atMs / 1000) || rankOf(one) - rankOf(other) || one.atMs - other.atMs;

/** What happened to a volume, oldest first. */
export const listMoments = (facts: StoryFacts): readonly Moment[] => {
  const { claim, volume, attachments, events, lines, traceId } = facts;
  const handle = volume?.spec.csi?.volumeHandle;
  const ids = new Set([traceId, `pvc-${traceId}`, handle, volume?.metadata.name].filter((id) => id !== undefined));
  const moments = [
    ...created('PersistentVolumeClaim', claim),
    ...created('PersistentVolume', volume),
    ...attachments.flatMap((attachment) => [
      ...created('VolumeAttachment', attachment).map((moment) => ({
        ...moment,
        what: `${moment.what} for node ${attachment.spec.nodeName}`,
      })),
    ]),
    ...events.map(ofEvent),
    ...lines.flatMap((line) => ofLine(line, ids) ?? []),
  ];
  return moments.filter(({ atMs }) => Number.isFinite(atMs)).sort(inOrder);
};
