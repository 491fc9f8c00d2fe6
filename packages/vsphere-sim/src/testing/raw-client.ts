import type { HttpTransport } from '@vdo/base/http';
import { decodeReply, encodeRequest, type SoapFault } from '@vdo/vsphere/wire/envelope';
import { login } from '@vdo/vsphere/wire/methods/session';
import type { Registry } from '@vdo/vsphere/wire/registry';
import type { Method, RequestOf, ResponseOf } from '@vdo/vsphere/wire/schema';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';
import { managers } from '../soap/service-content.ts';
import { profileOf, publishedName } from '../version/profile.ts';

/** A SOAP fault as the raw client throws it. */
class RawFault extends Error {
  readonly fault: SoapFault['fault'];

  constructor({ fault, faultstring }: SoapFault) {
    super(faultstring);
    this.name = fault?.$type ?? 'Fault';
    this.fault = fault;
  }
}

/** For the tests of this package: sends envelopes with the codec only, and keeps the session cookie. */
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
  /** The cookie of another client, to share its session. */
  readonly jar?: { cookie: string };
  /** Default: the types of vCenter and CNS. */
  readonly registry?: Registry;
  /** The release whose newest versions are used. Default `8.0.3`. */
  readonly release?: string;
  /** Used instead of each method's own namespace: results of storage tasks are for vSAN callers only. */
  readonly namespace?: string;
}

/** There, a cookie counts only with a login: vCenter gives one to any client. */
const vimPaths = ['/sdk', '/vsanHealth'];

const actionOf = (namespace: string, release: string): string => {
  const version = profileOf(release).versions[namespace];
  return version === undefined ? namespace : `${namespace}/${publishedName(version)}`;
};

export const createRawClient = (
  handler: HttpTransport,
  options: RawClientOptions = {},
): RawClient & { readonly jar: { cookie: string } } => {
  const { path = '/sdk', jar = { cookie: '' }, registry = wireTypes, release = '8.0.3' } = options;
  const isPolicies = path === '/pbm';
  const call: RawClient['call'] = async (method, args, sent = {}) => {
    const { namespace = method.namespace } = options;
    const vcSessionCookie = isPolicies ? jar.cookie.split('=')[1]?.replaceAll('"', '') : undefined;
    const response = await handler({
      method: 'POST',
      path,
      headers: {
        'content-type': 'text/xml',
        soapaction: actionOf(namespace, release),
        ...(jar.cookie && !isPolicies ? { cookie: jar.cookie } : {}),
      },
      body: encodeRequest(registry, { ...method, namespace }, { args, header: { vcSessionCookie } }),
      ...sent,
    });
    const [pair = ''] = (response.headers['set-cookie'] ?? '').split(';');
    if (pair !== '' && (method === login || !vimPaths.includes(path))) jar.cookie = isPolicies ? jar.cookie : pair;
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
