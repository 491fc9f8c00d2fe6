import type { Clock } from '@vdo/base/clock';
import { type HttpRequest, type HttpTransport, httpResponse, readBody } from '@vdo/base/http';

/** One request and its result. */
export interface Exchange {
  /** The step that sent it; empty before the first step. */
  readonly step: string;
  /** `CnsCreateVolume`, or `GET /rest/com/vmware/cis/tagging/tag/id:*`. */
  readonly call: string;
  readonly method: string;
  readonly path: string;
  /** `urn:vsan/8.0.0.4`; empty if it is not SOAP. */
  readonly action: string;
  readonly request: string;
  /** 0: no reply, because the connection broke or the client gave up. */
  readonly status: number;
  readonly contentType: string;
  readonly reply: string;
  readonly ms: number;
}

/** Observes all exchanges of a connection. */
export interface Observer {
  readonly observe: (transport: HttpTransport) => HttpTransport;
  /** Starts a step: the following exchanges belong to it. */
  begin(step: string): void;
  /** In the order in which they ended. */
  readonly exchanges: readonly Exchange[];
  /** Calls the listener when an exchange ends; returns a function that stops this. */
  onExchange(listener: (exchange: Exchange) => void): () => void;
}

const soapMethod = /<(?:\w{1,32}:)?Body[^<>]{0,512}>\s{0,64}<(?:\w{1,32}:)?(\w{1,128})/;

export const callOf = ({ method, path }: Pick<HttpRequest, 'method' | 'path'>, body: string): string => {
  const named = soapMethod.exec(body)?.[1];
  if (named !== undefined) return named;
  return `${method} ${path.replaceAll(/id:[^/?]{1,256}/g, 'id:*')}`;
};

const textOf = (body: string | Uint8Array | undefined): string =>
  typeof body === 'string' ? body : Buffer.from(body ?? []).toString('utf8');

export const createObserver = (clock: Pick<Clock, 'monotonicMs'>): Observer => {
  const exchanges: Exchange[] = [];
  const listeners = new Set<(exchange: Exchange) => void>();
  let step = '';
  const note = (exchange: Exchange): void => {
    exchanges.push(exchange);
    for (const listener of listeners) listener(exchange);
  };
  return {
    exchanges,
    begin: (begun) => {
      step = begun;
    },
    onExchange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    observe: (transport) => async (sent) => {
      const { method, path, headers } = sent;
      const request = textOf(sent.body);
      const asked = { step, call: callOf(sent, request), method, path, action: headers['soapaction'] ?? '', request };
      const startMs = clock.monotonicMs();
      const took = () => clock.monotonicMs() - startMs;
      try {
        const { status, headers: answered, body } = await transport(sent);
        const bytes = await readBody(body);
        const contentType = answered['content-type'] ?? '';
        note({ ...asked, status, contentType, reply: bytes.toString('utf8'), ms: took() });
        return httpResponse(status, bytes, answered);
      } catch (error) {
        note({ ...asked, status: 0, contentType: '', reply: '', ms: took() });
        throw error;
      }
    },
  };
};
