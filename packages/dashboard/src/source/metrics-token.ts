import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { proxiedToken } from '@vdo/kube/serving/authorized-handler';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';

interface TokenRequest extends KubeObject {
  readonly spec: { readonly audiences: readonly string[]; readonly expirationSeconds: number };
  readonly status?: { readonly token?: string };
}

const tokenRequests: Resource<TokenRequest> = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'TokenRequest',
  namespaced: true,
};

/** The shortest life that the API server gives a token. */
const lifeSeconds = 600;

/**
 * A token that opens the metrics of the programs and nothing else: pods see it, so it must not be that of the user. Asked for
 * again when half of its life is over.
 */
export const createMetricsToken = (kube: Pick<KubeClient, 'create'>, namespace: string, clock: Clock) => {
  let held: { readonly token: string; readonly renewAtMs: number } | undefined;
  return async (signal: AbortSignal): Promise<string> => {
    if (held && clock.monotonicMs() < held.renewAtMs) return held.token;
    const request: TokenRequest = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name: names.metricsReader, namespace },
      spec: { audiences: [proxiedToken.audience], expirationSeconds: lifeSeconds },
    };
    const reply: TokenRequest = await kube.create(tokenRequests, request, { subresource: 'token', signal });
    const token = reply.status?.token;
    if (!token)
      throw new VdoError({
        code: 'KubeServerError',
        message: `the API server issued no token for ServiceAccount ${namespace}/${names.metricsReader}`,
        remedy: `kubectl -n ${namespace} create token ${names.metricsReader} shows the reason.`,
      });
    held = { token, renewAtMs: clock.monotonicMs() + (lifeSeconds / 2) * 1_000 };
    return token;
  };
};
