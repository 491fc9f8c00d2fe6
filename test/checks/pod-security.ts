import { type HttpTransport, httpResponse, readBody } from '@vdo/base/http';

/** Before an API server stands what pod security does: pods are refused unless their namespace is labelled privileged. */
export const withPodSecurity =
  (transport: HttpTransport, state: { readonly enforced: boolean }): HttpTransport =>
  async (request) => {
    const [, namespace] = /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\?|$)/.exec(request.path) ?? [];
    if (!state.enforced || request.method !== 'POST' || namespace === undefined) return transport(request);
    const found = await transport({ method: 'GET', path: `/api/v1/namespaces/${namespace}`, headers: {} });
    const { metadata } = JSON.parse((await readBody(found.body)).toString('utf8')) as {
      metadata?: { labels?: Record<string, string> };
    };
    if (metadata?.labels?.['pod-security.kubernetes.io/enforce'] === 'privileged') return transport(request);
    const message =
      'pods "x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false';
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason: 'Forbidden', code: 403 };
    return httpResponse(403, JSON.stringify(status), { 'content-type': 'application/json' });
  };
