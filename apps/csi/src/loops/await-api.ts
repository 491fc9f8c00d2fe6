import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import { apiVersionOf, type Resource } from '@vdo/kube/types/resource';

export interface AwaitedApi {
  /** For the log: `snapshot API`. */
  readonly name: string;
  readonly resources: readonly Resource<KubeObject>[];
}

const recheckMs = 60_000;

/** Resolves when the cluster has these resources, which can be installed at any time, or when it is aborted. */
export const awaitApi = async (
  { name, resources }: AwaitedApi,
  { kube, clock, logger }: { readonly kube: KubeClient; readonly clock: Clock; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> => {
  let reported = false;
  while (!signal.aborted) {
    try {
      for (const resource of resources) await kube.resourceFor(apiVersionOf(resource), resource.kind, { signal });
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isVdoError(error, 'KubeResourceMissing')) logger.warn(`cannot check for the ${name}`, { error });
      else if (!reported) logger.info(`the cluster has no ${name}; waiting for it`, { recheckMs });
      reported = true;
    }
    await sleep(clock, recheckMs, { signal }).catch(() => {});
  }
};
