import { type HttpRequest, type HttpTransport, httpResponse } from '@vdo/base/http';
import { createRequestDecoder, encodeFault, encodeReply } from '../wire/envelope.ts';
import type { Input, Method, RequestOf, ResponseOf } from '../wire/schema.ts';
import { wireTypes } from '../wire/wire-types.ts';

/** A fault to answer with. */
export class ScriptedFault extends Error {
  readonly fault: { readonly $type: string };

  constructor(fault: { readonly $type: string }, message = '') {
    super(message);
    this.fault = fault;
  }
}

export interface ScriptedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: HttpRequest['headers'];
  readonly args: Readonly<Record<string, unknown>>;
}

/** A SOAP server that does what a test tells it, method by method; for what no simulator does on its own accord. */
export interface ScriptedSdk {
  readonly transport: HttpTransport;
  readonly calls: ScriptedCall[];
  on<M extends Method>(
    method: M,
    handler: (args: RequestOf<M>, request: HttpRequest) => Input<ResponseOf<M>> | Promise<Input<ResponseOf<M>>>,
  ): ScriptedSdk;
  /** Answers requests to a path prefix itself, before SOAP is looked at. */
  onPath(prefix: string, handler: HttpTransport): ScriptedSdk;
  count(method: string): number;
}

export const createScriptedSdk = (): ScriptedSdk => {
  const handlers = new Map<string, { readonly method: Method; run(args: object, request: HttpRequest): unknown }>();
  const paths: [string, HttpTransport][] = [];
  const calls: ScriptedCall[] = [];

  const answer = async (request: HttpRequest) => {
    const decode = createRequestDecoder(
      wireTypes,
      [...handlers.values()].map(({ method }) => method),
    );
    const { name, args } = await decode([request.body ?? '']);
    calls.push({ method: name, path: request.path, headers: request.headers, args });
    const handler = handlers.get(name);
    if (!handler) throw new ScriptedFault({ $type: 'InvalidRequest' }, `no handler for ${name}`);
    const value = (await handler.run(args, request)) as never;
    return encodeReply(wireTypes, handler.method, value);
  };

  const sdk: ScriptedSdk = {
    calls,
    transport: async (request) => {
      const special = paths.find(([prefix]) => request.path.startsWith(prefix));
      if (special) return special[1](request);
      request.signal?.throwIfAborted();
      try {
        const cookie = { 'set-cookie': 'vmware_soap_session="scripted"; Path=/' };
        return httpResponse(200, await answer(request), { 'content-type': 'text/xml', ...cookie });
      } catch (error) {
        if (!(error instanceof ScriptedFault)) throw error;
        const xml = encodeFault(wireTypes, { namespace: 'urn:vim25', message: error.message, fault: error.fault });
        return httpResponse(500, xml, { 'content-type': 'text/xml' });
      }
    },
    on: (method, handler) => {
      handlers.set(method.name, { method, run: handler as (args: object, request: HttpRequest) => unknown });
      return sdk;
    },
    onPath: (prefix, handler) => {
      paths.push([prefix, handler]);
      return sdk;
    },
    count: (method) => calls.filter((call) => call.method === method).length,
  };
  return sdk;
};
