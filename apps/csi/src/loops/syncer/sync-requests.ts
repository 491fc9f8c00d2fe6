import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { isVdoError, toVdoError, type VdoError } from '@vdo/base/vdo-error';
import { apiGroups, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { timestamp } from '@vdo/kube/conditions';
import type { EventRecorder } from '@vdo/kube/events';
import type { Informer } from '@vdo/kube/informer';
import { type ConfigMap, configMaps } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { eventMessage } from '../event-message.ts';

/** The kind of the Go driver by which people and backup tools ask for a full sync. */
export interface TriggerCsiFullSync extends KubeObject {
  /** One more than `status.lastTriggerSyncID` asks for a full sync. */
  readonly spec?: { readonly triggerSyncID?: number };
  readonly status?: { readonly inProgress?: boolean; readonly lastTriggerSyncID?: number };
}

export const triggerFullSyncs: Resource<TriggerCsiFullSync> = {
  group: apiGroups.cns,
  version: 'v1alpha1',
  plural: 'triggercsifullsyncs',
  kind: 'TriggerCsiFullSync',
  namespaced: false,
};

/** The only object of the kind that counts. */
export const triggerName = 'csifullsync';

/** Whether the object asks for a full sync. A number that is not the next one is refused, as in the Go driver. */
export const triggerAsks = ({ spec, status }: TriggerCsiFullSync): 'no' | 'yes' | 'invalid' => {
  const asked = spec?.triggerSyncID ?? 0;
  const last = status?.lastTriggerSyncID ?? 0;
  if (asked === 0 || asked === last) return 'no';
  return asked === last + 1 ? 'yes' : 'invalid';
};

/** The answer to a request, in the ConfigMap of the syncer. */
export interface SyncAnswer {
  readonly request: string;
  readonly startedAt: string;
  readonly endedAt: string;
  /** Why the full sync failed; absent if it ended well. */
  readonly problem?: string;
}

/** The request that the ConfigMap carries and that has no answer yet. */
export const pendingRequest = (report: Pick<ConfigMap, 'data'> | undefined): string | undefined => {
  const { sync, synced } = report?.data ?? {};
  if (sync === undefined || sync === '') return undefined;
  try {
    return (JSON.parse(synced ?? '{}') as Partial<SyncAnswer>).request === sync ? undefined : sync;
  } catch {
    return sync;
  }
};

export interface SyncRequestsDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly reports: Pick<Informer<ConfigMap>, 'list'>;
  readonly triggers: Pick<Informer<TriggerCsiFullSync>, 'get'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The requests that a full sync answers. */
interface Begun {
  readonly request: string | undefined;
  /** When it began. */
  readonly time: string;
  readonly isTriggered: boolean;
}

/** Requests for a full sync, by the ConfigMap of the syncer and by the kind of the Go driver, and their answers. */
export const createSyncRequests = (deps: SyncRequestsDeps) => {
  const { kube, namespace, reports, triggers, events, clock, logger } = deps;
  const trigger = (): TriggerCsiFullSync | undefined => triggers.get(triggerName);
  const requested = (): string | undefined => pendingRequest(reports.list()[0]);

  /** The request that the running full sync answers. */
  let serving: string | undefined;

  const setTrigger = async (status: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> => {
    const patch = { type: 'merge', body: { status } } as const;
    await kube
      .patch(triggerFullSyncs, { name: triggerName }, patch, { signal, subresource: 'status' })
      .catch((error: unknown) => {
        if (!isVdoError(error, 'KubeNotFound', 'KubeResourceMissing')) throw error;
      });
  };

  const answer = async (synced: SyncAnswer, signal: AbortSignal): Promise<void> => {
    const key = { namespace, name: names.csiSyncReport };
    const patch = { type: 'merge', body: { data: { synced: JSON.stringify(synced) } } } as const;
    await kube.patch(configMaps, key, patch, { signal });
  };

  const begin = async (signal: AbortSignal): Promise<Begun> => {
    const object = trigger();
    const id = object && triggerAsks(object) === 'yes' ? object.spec?.triggerSyncID : undefined;
    const time = timestamp(clock.now());
    if (id !== undefined)
      // A full sync does not depend on its status.
      await setTrigger(
        { inProgress: true, lastTriggerSyncID: id, lastRunStartTimeStamp: time, error: '' },
        signal,
      ).catch((error) => logger.warn('cannot write the state of a full sync', { error }));
    return { request: requested(), time, isTriggered: id !== undefined || object?.status?.inProgress === true };
  };

  /** Tells those who asked how the full sync ended. */
  const end = async ({ request, time, isTriggered }: Begun, why: VdoError | undefined, signal: AbortSignal) => {
    const ended = timestamp(clock.now());
    const said = why ? { problem: eventMessage(why) } : {};
    const well = why ? {} : { lastSuccessfulStartTimeStamp: time, lastSuccessfulEndTimeStamp: ended };
    const status = { inProgress: false, lastRunEndTimeStamp: ended, error: why?.message ?? '', ...well };
    const answers = [
      ...(request === undefined ? [] : [answer({ request, startedAt: time, endedAt: ended, ...said }, signal)]),
      ...(isTriggered ? [setTrigger(status, signal)] : []),
    ];
    for (const one of await Promise.allSettled(answers))
      if (one.status === 'rejected') logger.warn('cannot answer a request for a full sync', { error: one.reason });
  };

  return {
    /** True if a request waits for a full sync. */
    isAsked: (): boolean => {
      const object = trigger();
      const request = requested();
      return (request !== undefined && request !== serving) || (object !== undefined && triggerAsks(object) === 'yes');
    },
    /** Says on the object that its number is not the next one. */
    refuseInvalid: (object: TriggerCsiFullSync): void => {
      if (object.metadata.name !== triggerName || triggerAsks(object) !== 'invalid') return;
      const next = (object.status?.lastTriggerSyncID ?? 0) + 1;
      const message = `spec.triggerSyncID is ${object.spec?.triggerSyncID}, which asks for nothing: to ask for a full sync, set it to ${next}`;
      events.record(object, { type: 'Warning', reason: 'FullSyncNotTriggered', message });
    },
    /** Runs a full sync and answers the requests that were there when it began. `problem`: why it ended without a result. */
    serve: async <T>(
      run: () => Promise<T>,
      { signal, problem }: { readonly signal: AbortSignal; readonly problem: () => VdoError | undefined },
    ): Promise<T> => {
      const begun = await begin(signal);
      serving = begun.request;
      const [result] = await Promise.allSettled([run()]);
      const why = result.status === 'rejected' ? toVdoError(result.reason) : problem();
      // A stopped process leaves its requests to the next leader.
      if (!signal.aborted) await end(begun, why, signal);
      serving = undefined;
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    },
  };
};
