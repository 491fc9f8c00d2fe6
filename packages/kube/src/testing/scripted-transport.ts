import {
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
  httpResponse,
} from '@vdo/base/http';

export type ScriptedAnswer = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

export interface ScriptedTransport {
  readonly transport: HttpTransport;
  /** The requests, in order. */
  readonly requests: readonly HttpRequest[];
  /** Bodies parsed. */
  body(index: number): unknown;
}

/** Answers requests in the order of the script; a request after its end fails the test. */
export const createScriptedTransport = (...script: readonly ScriptedAnswer[]): ScriptedTransport => {
  const requests: HttpRequest[] = [];
  return {
    requests,
    body: (index) => JSON.parse(String(requests[index]?.body ?? 'null')),
    transport: async (request) => {
      requests.push(request);
      const answer = script[requests.length - 1];
      if (!answer)
        throw new Error(`request ${requests.length} is not in the script: ${request.method} ${request.path}`);
      return answer(request);
    },
  };
};

/** An answer with a JSON body. */
export const json =
  (body: unknown, status = 200, headers: HttpHeaders = {}): ScriptedAnswer =>
  () =>
    httpResponse(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

/** An answer of the API server that refuses. */
export const refuse = (
  code: number,
  reason: string,
  message: string,
  details: unknown = {},
  headers: HttpHeaders = {},
) => json({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details }, code, headers);

/** A stream of JSON lines that ends, or stays open until the request is aborted. */
export const streamOf =
  (events: readonly unknown[], { open = false }: { readonly open?: boolean } = {}): ScriptedAnswer =>
  ({ signal }) => ({
    status: 200,
    headers: {},
    body: (async function* () {
      for (const event of events) yield new TextEncoder().encode(`${JSON.stringify(event)}\n`);
      if (open) await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    })(),
  });
