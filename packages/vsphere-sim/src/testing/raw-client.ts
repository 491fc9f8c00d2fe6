import type { HttpTransport } from '@vdo/base/http';
import { decodeReply, encodeRequest, type SoapFault } from '@vdo/vsphere/wire/envelope';
import { login } from '@vdo/vsphere/wire/methods/session';
import type { Registry } from '@vdo/vsphere/wire/registry';
import type { Method, RequestOf, ResponseOf } from '@vdo/vsphere/wire/schema';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';
import { managers } from '../soap/service-content.ts';

/** A SOAP fault as the raw client throws it. */
class RawFault extends Error {
  readonly fault: SoapFault['fault'];

  constructor({ fault, faultstring }: SoapFault) {
    super(faultstring);
    this.name = fault?.$type ?? 'Fault';
    this.fault = fault;
  }
}

/** For this room's tests: sends envelopes through the codec alone, and keeps the session cookie. */
export interface RawClient {
  call<M extends Method>(
    method: M,
    args: RequestOf<M>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ResponseOf<M>>;
  login(username?: string, password?: string): Promise<void>;
}

export interface RawClientOptions {
  /** Default `/sdk`. */
  readonly path?: string;
  /** Of another client, to share its session. */
  readonly jar?: { cookie: string };
  /** Default: the types of vCenter and CNS. */
  readonly registry?: Registry;
}

export const createRawClient = (
  handler: HttpTransport,
  options: RawClientOptions = {},
): RawClient & { readonly jar: { cookie: string } } => {
  const { path = '/sdk', jar = { cookie: '' }, registry = wireTypes } = options;
  const call: RawClient['call'] = async (method, args, sent = {}) => {
    const response = await handler({
      method: 'POST',
      path,
      headers: { 'content-type': 'text/xml', ...(jar.cookie ? { cookie: jar.cookie } : {}) },
      body: encodeRequest(registry, method, { args }),
      ...sent,
    });
    const [pair = ''] = (response.headers['set-cookie'] ?? '').split(';');
    if (pair !== '') jar.cookie = pair;
    const reply = await decodeReply(response.body, method, { registry });
    if (!reply.ok) throw new RawFault(reply.fault);
    return reply.value;
  };
  return {
    jar,
    call,
    login: async (userName = 'administrator@vsphere.local', password = 'obviously-fake') => {
      await call(login, { _this: managers.sessionManager, userName, password });
    },
  };
};
