import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from './client.ts';
import { timestamp } from './conditions.ts';
import { type Event, events, type ObjectReference } from './types/core.ts';
import type { KubeObject } from './types/object.ts';

export interface EventContent {
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, up to 128 characters. */
  readonly reason: string;
  /** Cut at 1024 characters. */
  readonly message: string;
}

/** Reports what happened to an object, visible in `kubectl describe`. */
export interface EventRecorder {
  /** Returns at once and never throws. A repetition increases the count of the existing event. */
  record(object: KubeObject | ObjectReference, content: EventContent): void;
  /** Resolves when everything recorded so far is written or given up. */
  flush(): Promise<void>;
}

export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  /** The program: `vdo-operator`. */
  readonly component: string;
  /** The process: pod name or identity of the elector. Default the component. */
  readonly instance?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Only what is needed to increase the count: thousands are kept. */
interface Written {
  readonly name: string;
  readonly namespace: string;
  readonly count: number;
}

const maxMessageLength = 1024;
const maxReasonLength = 128;
/**
 * An object may have so many events of a type at once, then one per five minutes: a loop must not fill etcd, and normal events
 * must not suppress a warning.
 */
const burstPerObject = 25;
const refillMs = 300_000;
/** Number of events whose count can still be increased; beyond it, the oldest is dropped. */
const maxRemembered = 4096;

export const createEventRecorder = (options: EventRecorderOptions): EventRecorder => {
  const { client, component, clock, logger, instance = component } = options;
  const written = new Map<string, Written>();
  const allowance = new Map<string, { readonly tokens: number; readonly atMs: number }>();
  let queue: Promise<void> = Promise.resolve();

  const allowed = (object: string): boolean => {
    const nowMs = clock.monotonicMs();
    const { tokens, atMs } = allowance.get(object) ?? { tokens: burstPerObject, atMs: nowMs };
    const available = Math.min(burstPerObject, tokens + (nowMs - atMs) / refillMs);
    remember(allowance, object, { tokens: available >= 1 ? available - 1 : available, atMs: nowMs });
    return available >= 1;
  };

  const create = async (reference: ObjectReference, content: EventContent): Promise<Written> => {
    const now = timestamp(clock.now());
    const namespace = reference.namespace || 'default';
    const suffix = options.random.uuid().replaceAll('-', '').slice(0, 16);
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${reference.name ?? 'unknown'}.${suffix}`, namespace },
      involvedObject: reference,
      ...content,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component },
      reportingComponent: component,
      reportingInstance: instance,
    };
    await client.create(events, event);
    return { name: event.metadata.name ?? '', namespace, count: 1 };
  };

  const countUp = async ({ name, namespace, count }: Written): Promise<Written> => {
    const body = { count: count + 1, lastTimestamp: timestamp(clock.now()) };
    await client.patch(events, { name, namespace }, { type: 'merge', body });
    return { name, namespace, count: count + 1 };
  };

  const write = async (key: string, reference: ObjectReference, content: EventContent): Promise<void> => {
    const known = written.get(key);
    try {
      // The server deletes events after an hour: a deleted event is created again.
      const counted = known && (await countUp(known).catch((error) => onlyIfGone(error)));
      remember(written, key, counted ?? (await create(reference, content)));
    } catch (error) {
      logger.warn('cannot write an event', { reason: content.reason, object: reference.name, error });
    }
  };

  return {
    record: (object, { type, reason, message }) => {
      const reference = referenceTo(object);
      const content = { type, reason: reason.slice(0, maxReasonLength), message: shorten(message) };
      const subject = [reference.kind, reference.namespace, reference.name, reference.uid].join('/');
      const key = [subject, type, reason, content.message].join('\n');
      if (allowed(`${subject} ${type}`)) queue = queue.then(() => write(key, reference, content));
      else logger.debug('too many events for one object, dropped', { reason, object: reference.name });
    },
    flush: () => queue,
  };
};

const onlyIfGone = (error: unknown): undefined => {
  if (!isVdoError(error, 'KubeNotFound')) throw error;
};

const referenceTo = (object: KubeObject | ObjectReference): ObjectReference => {
  if (!('metadata' in object)) return object;
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
};

const shorten = (message: string): string =>
  message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 1)}…`;

// A Map keeps the order of insertion: an entry that is set again moves to the end, so the oldest is first.
const remember = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxRemembered && oldest !== undefined) map.delete(oldest);
};
