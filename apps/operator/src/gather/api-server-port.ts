import type { Clock } from '@vdo/base/clock';
import { isVdoError } from '@vdo/base/vdo-error';
import { apiServerService } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';

interface Service extends KubeObject {
  readonly spec?: { readonly ports?: readonly { readonly targetPort?: number | string }[] };
}

const services: Resource<Service> = { group: '', version: 'v1', plural: 'services', kind: 'Service', namespaced: true };

/** It changes with the whole control plane. */
const rememberMs = 60 * 60_000;

/** The port of the API server behind its Service, from the Service; undefined if it cannot be read. */
export const createApiServerPort = (options: {
  readonly kube: Pick<KubeClient, 'find'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}) => {
  const { kube, clock } = options;
  let known: { readonly port: number | undefined; readonly atMs: number } | undefined;
  return async ({ signal }: { readonly signal: AbortSignal }): Promise<number | undefined> => {
    if (known && clock.monotonicMs() - known.atMs < rememberMs) return known.port;
    const found = await kube.find(services, apiServerService, { signal }).catch((error: unknown) => {
      // Roles of an earlier release do not allow this read; the usual port is allowed anyway.
      if (isVdoError(error, 'KubeForbidden')) return undefined;
      throw error;
    });
    const target = found?.spec?.ports?.[0]?.targetPort;
    known = { port: typeof target === 'number' ? target : undefined, atMs: clock.monotonicMs() };
    return known.port;
  };
};
