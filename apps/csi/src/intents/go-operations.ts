import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { isVdoError } from '@vdo/base/vdo-error';
import { apiGroups } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { moref } from '@vdo/vsphere/wire/moref';
import { createVersionedCache } from '../placement/versioned-cache.ts';
import type { IntentStore, VolumeIntent } from './volume-intent.ts';

interface OperationDetails {
  readonly taskInvocationTimestamp?: string;
  readonly taskId?: string;
  readonly vCenterServer?: string;
  /** `In Progress`, `Successful` or `Failed`. */
  readonly taskStatus?: string;
}

/** The Go driver's record of an operation. The record of a creation has the name of its volume. */
interface OperationRequestObject extends KubeObject {
  readonly spec?: { readonly name?: string };
  readonly status?: { readonly volumeID?: string; readonly latestOperationDetails?: readonly OperationDetails[] };
}

export const goOperations: Resource<OperationRequestObject> = {
  group: apiGroups.cns,
  version: 'v1alpha1',
  plural: 'cnsvolumeoperationrequests',
  kind: 'CnsVolumeOperationRequest',
  namespaced: true,
};

export interface GoOperationsDeps {
  readonly kube: Pick<KubeClient, 'list'>;
  /** Namespace of the Go driver. */
  readonly namespace: string;
  readonly servers: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

const serverOf = (named: string | undefined, servers: readonly string[]): string | undefined =>
  servers.find((server) => server === named) ?? (servers.length === 1 ? servers[0] : undefined);

/** A creation whose end the Go driver did not record. Finished creations need no intent: their volume is found in vCenter by its name. */
const toIntent = (object: OperationRequestObject, servers: readonly string[]): VolumeIntent | undefined => {
  const last = object.status?.latestOperationDetails?.at(-1);
  const name = object.spec?.name ?? object.metadata.name;
  const server = serverOf(last?.vCenterServer, servers);
  if (!name || !last?.taskId || !server || last.taskStatus !== 'In Progress' || object.status?.volumeID)
    return undefined;
  const askedAtMs = Date.parse(last.taskInvocationTimestamp ?? '') || 0;
  return { name, server, sizeMb: 0n, askedAtMs, task: moref('Task', last.taskId), of: 'go-driver' };
};

/**
 * A store that also knows the operations that the Go driver left unfinished when this program took over, so that their tasks are
 * awaited and not repeated. The Go driver's records are only read; the Go driver removes them itself if it runs again.
 */
export const withGoOperations = (store: IntentStore, deps: GoOperationsDeps): IntentStore => {
  const { kube, namespace, servers, clock, logger } = deps;
  const cache = createVersionedCache<ReadonlyMap<string, VolumeIntent>>({ clock, maxAgeMs: 60_000 });
  const load = async (signal: AbortSignal): Promise<ReadonlyMap<string, VolumeIntent>> => {
    try {
      const { items } = await kube.list(goOperations, { namespace, signal });
      const intents = items.flatMap((object) => toIntent(object, servers) ?? []);
      if (intents.length > 0)
        logger.info('the Go driver has left unfinished operations', { names: intents.map(({ name }) => name) });
      return new Map(intents.map((intent) => [intent.name, intent]));
    } catch (error) {
      // A cluster that never had the Go driver does not have this resource, or does not allow reading it.
      if (isVdoError(error, 'KubeNotFound', 'KubeResourceMissing', 'KubeForbidden')) return new Map();
      throw error;
    }
  };
  return {
    ...store,
    get: async (name, options) =>
      (await store.get(name, options)) ?? (await cache.get('', '', () => load(options.signal))).get(name),
  };
};
